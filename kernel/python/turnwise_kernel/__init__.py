"""The turnwise kernel for Jupyter. It is written in TypeScript and runs on Node; the modules here start it."""
