"""Django's part of two peers: its settings, a case and its journal as models, and a transaction around a step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.peers.common import AT, STATES, Steps, chained

DURABLE = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"


def ready(folder: str) -> None:
    """Sets Django up on a database of its own."""
    import django
    from django.conf import settings

    options = {"init_command": DURABLE, "transaction_mode": "IMMEDIATE"}
    databases = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": Path(folder, "django.db"), "OPTIONS": options}}
    settings.configure(DATABASES=databases, INSTALLED_APPS=["django.contrib.contenttypes"], USE_TZ=True, DEFAULT_AUTO_FIELD="django.db.models.BigAutoField")
    django.setup()


def journal() -> Any:
    """The journal."""
    from django.db import models

    class Journal(models.Model):
        kase = models.BigIntegerField()
        seq = models.IntegerField()
        at = models.CharField(max_length=40)
        actor = models.CharField(max_length=40)
        src = models.CharField(max_length=40)
        dst = models.CharField(max_length=40)
        facts = models.TextField()
        prev = models.CharField(max_length=64)
        hash = models.CharField(max_length=64)

        class Meta:
            app_label = "peers"
            unique_together = (("kase", "seq"),)

    return Journal


def stepping(case: Any, cases: int, body: str, moves: Any) -> Steps:
    """Makes the tables and the cases; a step reads the case, moves it and writes it with its journal row."""
    from django.db import connection, transaction

    entries = journal()
    with connection.schema_editor() as editor:
        editor.create_model(case)
        editor.create_model(entries)
    case.objects.bulk_create([case(id=place + 1, state=STATES[place % len(STATES)], body=body) for place in range(cases)], batch_size=200)

    def step(place: int) -> None:
        with transaction.atomic():
            one = case.objects.get(pk=place + 1)
            before, previous = one.state, one.head
            moves(one)
            one.version += 1
            one.head = chained(previous, place, one.version, before, one.state)
            one.save(update_fields=["state", "version", "head", "body"])
            facts = '{"note": "A word."}'
            entries.objects.create(kase=one.pk, seq=one.version, at=AT, actor="bo", src=before, dst=one.state, facts=facts, prev=previous, hash=one.head)

    return step
