/** Names of folders that hold nothing of a run, and perhaps very many files. */
export const hidden = /^(\.git|node_modules|__pycache__|\.venv|venv|\.ipynb_checkpoints)$/;
