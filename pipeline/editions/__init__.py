"""What is done with an edition as a whole: making it, reviewing it, explaining an entry of it."""
