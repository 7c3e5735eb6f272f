"""The ways out: a folder (mail drop), SMTP, a rehearsal that sends nothing, and the router that picks one by channel."""

from caseflow.adapters.mail.drop import MailDrop, NoMail
from caseflow.adapters.mail.routes import Routes

__all__ = ["MailDrop", "NoMail", "Routes"]
