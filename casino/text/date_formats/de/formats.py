"""Dates and times as all our pages write them, where Django's own pages ask for a format."""

from casino.text.date_formats import *  # noqa: F403
