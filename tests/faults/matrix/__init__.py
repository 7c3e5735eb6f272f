"""The fault matrix: one module for each kind of fault, each with rows that inject it many times and count what it broke.

`python -m tests.faults.matrix [ROW...] [--trials N] [--seed S]` runs rows and prints a table. A row is worth something only if a defect that
is planted on purpose turns it red, so every row brings one.
"""
