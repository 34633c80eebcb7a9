"""What players have, workbooks, documents and notes, as a sheet of rulebook."""
