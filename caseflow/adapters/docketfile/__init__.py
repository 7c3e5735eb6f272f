"""A docket as a file of JSON Lines: how a line is read with suspicion, what it says, and how the file is written."""
