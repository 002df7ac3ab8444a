"""Personal tokens: what programs show instead of a log-in; the page where people make and revoke their own."""
