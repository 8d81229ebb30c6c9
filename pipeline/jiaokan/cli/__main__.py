"""`python -m jiaokan.cli` is `jiaokan`."""

from jiaokan.cli import main

if __name__ == "__main__":
    main()
