"""What the books keep, in the reader's words: names of records, fields, acts and findings."""
