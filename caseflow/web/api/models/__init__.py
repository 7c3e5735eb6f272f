"""The shapes of what the API takes and answers, described once for people and programs."""
