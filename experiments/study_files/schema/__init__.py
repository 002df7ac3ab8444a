"""The JSON Schema (draft 2020-12) of study files, made of the declarations that check them.

Editors and other programs read it: it says which keys there are, what each is for, its type and its limits. What joins
several places (a condition on an answer that exists, a table that fits its paradigm) is checked when the file is read.
"""

from experiments.study_files.schema.whole import ADDRESS, FILE_NAME, plain_of_toml, study_file_schema, written_schema

__all__ = ["ADDRESS", "FILE_NAME", "plain_of_toml", "study_file_schema", "written_schema"]
