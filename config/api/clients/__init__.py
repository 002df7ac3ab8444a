"""The client for R as one file, which every platform gives out."""
