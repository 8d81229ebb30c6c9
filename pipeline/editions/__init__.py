"""Work on an edition as a whole: make it, review it, explain an entry of it."""
