"""What the services need from outside, as Protocols: a module for each subject, so that a command loads those it uses and no others.

Adapters fulfil them; bootstrap joins the two.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

Now = Callable[[], datetime]
"""The present moment, in UTC with its zone. Nothing else reads the clock."""
