"""`make demo`: the whole road on a local cloud, with the commands that a person would type."""
