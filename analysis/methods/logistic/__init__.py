"""Binary logistic regression in blocks, with honest cross-validation."""
