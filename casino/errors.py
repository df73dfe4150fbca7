"""The edge of refusals: HTTP status, RFC 9457 document, the caller's language."""
