"""`python -m pipeline.cli` is `jiaokan`."""

from pipeline.cli import main

if __name__ == "__main__":
    main()
