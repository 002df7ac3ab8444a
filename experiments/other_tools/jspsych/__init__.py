"""Experiments of jsPsych: timelines that are plain data, in JSON or in scripts that are read and never run."""
