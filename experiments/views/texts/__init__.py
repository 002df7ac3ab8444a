"""Pages for editing participants' texts and the wording of the interface."""
