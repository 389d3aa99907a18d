"""Notation: reads scores (譜), writes them back, and loads whole rites; it does not know what any word means."""
