"""Comments at the steps of a study: what their forms are sent to."""
