"""Other libraries doing the same durable step as an action of a case, each in a process of its own.

A peer is a module with `steps(folder, cases, body)`: it makes so many cases whose content is `body` and answers with what advances
the case of a place by one step. The step: read the case, ask a guard, make the transition, write the case and a journal row that is
chained to the one before by SHA-256, durably committed. Nothing here imports caseflow, and nothing of caseflow imports this.
"""
