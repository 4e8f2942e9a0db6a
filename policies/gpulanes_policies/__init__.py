"""gpulanes."""
