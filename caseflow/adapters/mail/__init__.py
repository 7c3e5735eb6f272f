"""The ways out: a folder (mail drop), SMTP, the status page, a rehearsal that sends nothing, and the router that picks one by channel."""

from caseflow.adapters.mail.drop import MailDrop, NoMail
from caseflow.adapters.mail.portal import Portal
from caseflow.adapters.mail.routes import Routes

__all__ = ["MailDrop", "NoMail", "Portal", "Routes"]
