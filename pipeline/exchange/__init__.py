"""Conversion of apparatus, import of Word files, adoption of published editions, bundles, and export forms."""
