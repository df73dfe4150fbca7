"""Dates and times as all our pages write them, where Django's own pages ask for a format."""

from casino.date_formats import *  # noqa: F403
