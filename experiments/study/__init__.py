"""The life of a study: who may change it, what is planned, what opening asks and freezes."""
