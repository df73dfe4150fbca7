"""Tablets and displays as devices: enrolled by a code, known by a cookie, signed in on, revoked;
card feeds.
"""
