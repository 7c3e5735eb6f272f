"""`/api/v1`: a dumb door for programs, over the same services as the command line and the site."""
