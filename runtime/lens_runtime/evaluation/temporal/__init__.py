"""Temporal values: dates, times and durations to the nanosecond, in years from -999,999,999 to 999,999,999.

Python's own datetime knows neither; the values here are as ISO 8601 and openCypher have them.
"""
