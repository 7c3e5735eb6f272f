"""The staff site: a door. It turns requests into calls of services and answers into pages, and decides nothing."""
