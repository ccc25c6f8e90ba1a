"""The demo world ``able``: a business's directory, helpdesk and communications, all made up by a seeded generator."""
