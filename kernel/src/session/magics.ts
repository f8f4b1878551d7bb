import { limits } from "../display/settings.js";
import type { Magic, MagicHost, Variable } from "../magics/contract.js";
import type { Runtime } from "./runtime.js";

/** Parts of their session that the magics need. */
interface Needs {
  folder: string;
  /** Those that there are. */
  magics: readonly Magic[];
  currentCell(): string;
  print(cell: string, name: "stdout" | "stderr", text: string): void;
  display(value: unknown): void;
  variables(): readonly Variable[];
  tick(): void;
  onInterrupt(run: () => void): () => void;
}

/** Runs the magics of cells. */
export class Magics {
  private readonly ends: { readonly cell: string; readonly run: () => void }[] = [];

  constructor(private readonly needs: Needs) {}

  /** Function that a cell's code calls instead of a magic. */
  readonly run: Runtime["magic"] = (name, rest, below) => {
    const magic = this.needs.magics.find((one) => one.name === name)!;
    const call = {
      rest,
      ...(typeof below === "string" && { body: below }),
      ...(typeof below === "function" && { code: below }),
    };
    return magic.run?.(call, this.host());
  };

  /** A cell has ended: does what magics have asked for at its end. */
  end(cell: string): void {
    for (const one of this.ends.splice(0)) if (one.cell === cell) one.run();
  }

  private host(): MagicHost {
    const { needs, ends } = this;
    // Read now: a command writes while other cells may run already.
    const cell = needs.currentCell();
    return {
      folder: needs.folder,
      settings: limits,
      print: (text, name = "stdout") => needs.print(cell, name, text),
      display: (value) => needs.display(value),
      variables: () => needs.variables(),
      tick: () => needs.tick(),
      onInterrupt: (run) => needs.onInterrupt(run),
      afterCell: (run) => void ends.push({ cell, run }),
    };
  }
}
