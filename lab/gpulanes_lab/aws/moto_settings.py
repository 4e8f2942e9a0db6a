"""What a moto server has to be set to, for the emulated provider to find AWS as it is."""

import os
from functools import cache


def apply() -> None:
    """Set this process up before its moto server starts.

    AWS's managed policies are there only on request. And EKS asks for a new boto3 session's list of partitions at
    every creation, which takes 0.15 s: one session's answer serves them all.
    """
    os.environ["MOTO_IAM_LOAD_MANAGED_POLICIES"] = "true"
    import boto3
    import moto.eks.utils

    vars(moto.eks.utils)["Session"] = cache(boto3.Session)
