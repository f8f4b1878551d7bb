// Uses internals of turnwise-kernel/runner.
import path from "node:path";
import { readNotebook, type Notebook } from "turnwise-kernel/dist/runner/notebook.js";
import { ledgerMime } from "turnwise/plot";
import type { Claim } from "turnwise";
import { root } from "../support/paths.js";

/** The claims ledgers that a notebook shows, from top to bottom. */
export function ledgersOf({ cells }: Notebook): readonly (readonly Claim[])[] {
  return cells.flatMap((cell) =>
    (cell.outputs ?? []).flatMap((output) =>
      "data" in output && ledgerMime in output.data
        ? [output.data[ledgerMime] as unknown as readonly Claim[]]
        : [],
    ),
  );
}

/** The claims ledgers that a committed notebook shows. */
export const storedLedgers = (notebook: string): readonly (readonly Claim[])[] =>
  ledgersOf(readNotebook(path.join(root, "notebooks", `${notebook}.ipynb`)));

/** The claims ledger that a committed notebook shows last. Throws when it shows none. */
export function storedLedger(notebook: string): readonly Claim[] {
  const last = storedLedgers(notebook).at(-1);
  if (last === undefined)
    throw new Error(`Cannot read a ledger: ${notebook} must show one, but it shows none.`);
  return last;
}

/** The row of a claim that starts with these words. */
export function claimOf(rows: readonly Claim[], words: string): Claim {
  const row = rows.find(({ claim }) => claim.startsWith(words));
  if (!row) throw new Error(`Cannot find a claim: one must start with "${words}".`);
  return row;
}
