from config.sqlite.library import use_fixed_library

# Before anything opens a database, and before anything keeps a reference to the interpreter's own library.
use_fixed_library()
