"""Read and write CSV, numbers and words; report faults."""
