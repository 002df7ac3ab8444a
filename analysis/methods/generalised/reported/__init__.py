"""Tables of cumulative models (`thresholds`), and reports on `several` outcomes."""
