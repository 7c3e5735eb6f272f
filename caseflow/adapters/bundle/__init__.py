"""The record of one case as a folder that a stranger can check without this program."""
