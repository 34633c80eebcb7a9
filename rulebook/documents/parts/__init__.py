"""What several documents are made of: tables, bound prose, charts, examples, covers."""
