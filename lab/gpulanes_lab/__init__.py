"""The lab: a local cloud with a real engine and a real Kubernetes control plane."""
