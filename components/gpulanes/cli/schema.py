"""``gpulanes schema``."""


def schema() -> int:
    """Print the JSON Schema of the fleet file, for editors and CI."""
    from gpulanes.cli.json_output import print_json
    from gpulanes.fleet import schema as fleet_schema

    print_json(fleet_schema())
    return 0
