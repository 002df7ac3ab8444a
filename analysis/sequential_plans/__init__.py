"""Sequential plans of studies: the deciding analysis, due looks, stopping, and unplanned looks."""
