"""The tables, as SQLModel classes, by subject. They validate nothing: values are checked in the domain, constraints stand behind.

Making a class takes a millisecond or two, so that a command makes those alone of which it asks; whole.py has them all.
"""
