"""The platform as one package: its application folder is inside as data, so that it adds only one top-level name."""
