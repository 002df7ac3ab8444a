"""How much systems' texts share with references and source."""
