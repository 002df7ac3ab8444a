"""The one door through which data leave: every CSV file, the codebook, descriptions for machines, reports, archives."""

from analysis.exports.archive import NoSuchFile, OtherExport, export_files, stream, write_all, zip_pieces

__all__ = ["NoSuchFile", "OtherExport", "export_files", "stream", "write_all", "zip_pieces"]
