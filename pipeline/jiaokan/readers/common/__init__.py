"""What several readers use: decoding, rows with places, brackets, evidence, page breaks."""
