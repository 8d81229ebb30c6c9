"""What comes in and goes out: imports, adoption of published editions, conversion of apparatus, exports, bundles."""
