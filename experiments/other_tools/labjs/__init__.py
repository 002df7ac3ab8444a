"""Studies of lab.js: the file that the builder saves, or an export; components are followed, nothing is run."""
