"""Proof of a workflow: a walk of its whole state space by the engine itself, and the claims decided on it.

`cone` says what must be remembered of a case, `choices` what an adversary may state, `key` when two positions are one,
`walk` goes every way, `deciding` asks the claims, `telling` writes a broken one down as a scenario. No database, no file.
"""

from caseflow.domain.proving.choices import Choices
from caseflow.domain.proving.deciding import Asked, Break, Claims
from caseflow.domain.proving.telling import scenario_of, text_of, words_of
from caseflow.domain.proving.walk import DAYS_PASS, Opening, Step, Walked, Walker

__all__ = ["DAYS_PASS", "Asked", "Break", "Choices", "Claims", "Opening", "Step", "Walked", "Walker", "scenario_of", "text_of", "words_of"]
