"""The statements of the reports: columns, SQL and filters of each (docs/REPORTS.md)."""
