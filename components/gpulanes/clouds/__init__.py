"""What a cloud does for the components; each cloud is imported only when a plan names it."""
