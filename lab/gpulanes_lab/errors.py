"""What can go wrong in the lab, said so that a person can fix it."""


class LabError(Exception):
    """The lab cannot do what was asked; the message says why and what to do."""
