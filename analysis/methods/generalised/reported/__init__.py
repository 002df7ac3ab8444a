"""What a report has beside the tables of all mixed models: `thresholds`, and `several` outcomes in one."""
