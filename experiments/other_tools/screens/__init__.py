"""Studies as other tools have them, a flow of screens: pages, and lists of trials. They become parts of a study."""
