"""How dates and times are written, in every language alike: 22.11.2026 18:54. Django looks for a
module of each language below.
"""

DATE_FORMAT = SHORT_DATE_FORMAT = "d.m.Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "d.m.Y H:i"
