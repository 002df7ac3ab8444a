"""The OpenAPI 3.1 description of the API, made of the declarations of its operations."""
