"""Answers drawn for people in a terminal: pure functions from plain data to something that rich prints."""
