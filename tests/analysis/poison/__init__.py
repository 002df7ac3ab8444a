"""An app for the tests of the worker: it adds analyses that hang, devour memory, crash or merely take their time."""
