"""Run the command line with `python -m ragduck`."""

from ragduck.cli import main

if __name__ == "__main__":
    main()
