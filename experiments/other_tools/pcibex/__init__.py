"""Projects of Ibex and PCIbex (PennController 1 and 2) as studies. Nothing of a script is run: it is read."""
