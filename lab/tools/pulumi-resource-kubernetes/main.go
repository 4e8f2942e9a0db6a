// Command pulumi-resource-kubernetes serves the Pulumi Kubernetes provider for the lab.
//
// The module's own command embeds files that its release process generates; this one embeds the
// committed schema and Terraform mapping, which the build step copies here from the module.
package main

import (
	_ "embed"

	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"
)

//go:embed schema.json
var schema []byte

//go:embed terraform-mapping.json
var terraformMapping []byte

var version = "4.34.2"

func main() {
	provider.Serve("kubernetes", version, schema, terraformMapping)
}
