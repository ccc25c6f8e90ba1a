"""What a plan is made of: where it starts, what it follows, and what prunes on the way."""
