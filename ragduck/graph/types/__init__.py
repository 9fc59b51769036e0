"""What the names and expressions of code mean: types, members, what a file can see."""
