"""What the user writes, as frozen pydantic models: workloads and the promises around them."""
