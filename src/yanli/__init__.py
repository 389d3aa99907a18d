"""Yanli (演禮, to rehearse the rites): an executable edition of the rites of the 儀禮.

Importing the package brings in nothing heavy; each room is imported by who needs it.
"""

__version__ = "0.1.0"

__all__ = ["__version__"]
