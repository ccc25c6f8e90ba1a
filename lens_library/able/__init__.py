"""The demo world ``able``: six modules of a made-up shop, filled by a seeded generator."""
