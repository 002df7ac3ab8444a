"""What analyses have to do with one study: its plan, its materials, who may read, what is erased."""
