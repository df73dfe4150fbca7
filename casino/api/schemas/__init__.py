"""What a body or an answer is, said once: typed structures, of which the reader, the answer and the
OpenAPI document come.

A module for each resource holds its structures. A public one is a component of the document, one
that begins with an underscore stands where it is used.
"""
