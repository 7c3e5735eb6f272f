"""Who calls, and whether the program is well."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from caseflow.web.api.models.common import Moment, Shown


class Me(Shown):
    """Whom the token stands for."""

    name: str = Field(description="The account.")
    title: str = Field(description="The person.")
    role: str = Field(description="The role in which the token acts.")
    role_title: str = Field(description="What that is called.")
    rights: list[str] = Field(description="What the role opens here: read, work, oversee, manage.")
    scope: Literal["read", "act"] = Field(description="What the token may do.")
    expires_at: Moment


class Health(Shown):
    """Whether the program is well. It names nothing."""

    status: Literal["ok", "failing"] = Field(description="failing comes with status 503.")
    database: Literal["ok", "failing"] = Field(description="Whether the database answers.")
    scheduler: Literal["ok", "late", "not seen", "unknown"] = Field(description="Whether the scheduler swept within a minute.")
