"""The platform as one package: its application folder lies inside as data, so nothing else gets a name at the top."""
