"""Runs a notebook with nbclient and prints what came out, then converts it to HTML with nbconvert."""

import json
import sys

import nbformat
from nbclient import NotebookClient
from nbconvert import HTMLExporter

source, html_path = sys.argv[1:3]
notebook = nbformat.read(source, as_version=4)
NotebookClient(notebook, kernel_name="turnwise", timeout=240, resources={"metadata": {"path": "."}}).execute()
nbformat.validate(notebook)
body, _ = HTMLExporter().from_notebook_node(notebook)
with open(html_path, "w", encoding="utf-8") as file:
    file.write(body)
print(json.dumps([[cell.execution_count, cell.outputs] for cell in notebook.cells if cell.cell_type == "code"]))
