"""Where settings come from: options first, then CASEFLOW_* variables, then caseflow.toml, then the defaults."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from caseflow.errors import BadInput

FILE = "caseflow.toml"
NAMES = ("database", "packs", "at", "mail", "user")


def choose(**options: Any) -> dict[str, Any]:
    """The value of each setting by name; None where nobody chose. Raises BadInput."""
    written = _from_file(Path(os.environ.get("CASEFLOW_CONFIG", FILE)))
    return {
        name: options.get(name) or os.environ.get(f"CASEFLOW_{name.upper()}") or written.get(name) for name in NAMES
    }


def _from_file(path: Path) -> dict[str, Any]:
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if "CASEFLOW_CONFIG" in os.environ:
            raise BadInput(f"CASEFLOW_CONFIG names {path}, which does not exist.") from None
        return {}
    except (OSError, UnicodeDecodeError) as fault:
        raise BadInput(f"{path} can't be read: {fault}.") from None
    except tomllib.TOMLDecodeError as fault:
        raise BadInput(f"{path} is not TOML: {fault}.") from None
    for name, value in written.items():
        if name not in NAMES:
            raise BadInput(f"{path} sets '{name}', which is no setting; write one of {', '.join(NAMES)}.")
        if not isinstance(value, str):
            raise BadInput(f"{path} sets '{name}' to something that is not text; write it in quotes.")
    return written
