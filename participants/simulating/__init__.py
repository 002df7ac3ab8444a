"""Run simulations requested on a page, in time slices, in any worker process."""
