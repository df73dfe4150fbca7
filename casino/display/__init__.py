"""The jackpot's page on a display: what it shows, its signs of life, the confirmation that opens
the tables.

It is drawn by `static/casino/display/view.js` with the sentences of `texts.py`; `feed.js` beside it
says when it is stale. Its first picture is `templates/display/jackpot.html`, its look
`static/casino/display/display.css`.
"""
