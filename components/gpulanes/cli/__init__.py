"""The command line: one command per file, each imported when it is called."""
