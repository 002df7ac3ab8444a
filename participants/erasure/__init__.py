"""What is erased: by withdrawal, at the end of retention, and in the files of the database."""
