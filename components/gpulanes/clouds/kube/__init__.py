"""Kubernetes objects that no cloud owns: manifests, and the field tables that hold them to their kinds."""
