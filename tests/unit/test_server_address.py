"""The address of the site: what is taken, and how connections to it behave."""

from __future__ import annotations

import socket

import pytest

from caseflow.errors import BadInput
from caseflow.web.server import listening


def test_a_page_is_sent_at_once_and_does_not_wait_until_its_head_was_confirmed() -> None:
    with listening("127.0.0.1", 0) as taken:
        taken.listen()
        with socket.create_connection(taken.getsockname()), taken.accept()[0] as connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_an_address_that_somebody_else_has_is_refused_by_its_name() -> None:
    with listening("127.0.0.1", 0) as taken:
        taken.listen()
        with pytest.raises(BadInput, match=f"127.0.0.1, port {taken.getsockname()[1]} can't be used"):
            listening("127.0.0.1", taken.getsockname()[1])
