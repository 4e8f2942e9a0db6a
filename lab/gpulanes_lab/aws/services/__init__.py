"""What each AWS service takes, gives and refuses: one table per type."""
