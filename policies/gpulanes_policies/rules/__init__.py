"""One file per rule, each with its ``RULE``; the folder is the list."""
