"""Connect analyses with a study: requests, plan, materials, access, erasure."""
