"""Export data (the only way out): CSV files, codebook, machine-readable metadata, reports, archives."""

from analysis.exports.archive import NoSuchFile, OtherExport, export_files, stream, write_all
from analysis.exports.packing import zip_pieces

__all__ = ["NoSuchFile", "OtherExport", "export_files", "stream", "write_all", "zip_pieces"]
