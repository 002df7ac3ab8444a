"""Media of a study (pictures and sounds): accepted formats, checks, storage, and which files the materials name."""
