"""A real Kubernetes control plane without nodes: etcd, kube-apiserver, kube-controller-manager."""
