"""What the editor decided: typed tables, their loader and check, and the decisions that are applied to a source."""
