/** An object with a method of this name displays itself. The convention comes from Deno's kernel. */
export const displaySymbol = Symbol.for("Jupyter.display");
