import { displaySymbol, type MimeBundle } from "../base/display";
import { escapeHtml } from "./escapeHtml";

/** The outcome of computing a claim. */
export type Verdict = "holds" | `holds only if ${string}` | "not reproduced" | `not reproduced: ${string}`;

/** One line of a ledger: a statement, who says so, what was measured, and the verdict. */
export interface Claim {
  /** The statement, in one sentence. */
  readonly claim: string;
  /** Who makes it: paper and section, or "this notebook". */
  readonly source: string;
  /** What was computed, with its interval and number of seeds. */
  readonly measured: string;
  readonly verdict: Verdict;
}

/** The media type of a ledger: its rows as JSON. */
export const ledgerMime = "application/vnd.turnwise.ledger+json";

/** The claims of a notebook beside what it measured. */
export class Ledger {
  constructor(readonly rows: readonly Claim[]) {
    if (rows.length === 0) {
      throw new RangeError("Cannot show a claims ledger as it must hold a claim: current length is 0");
    }
    for (const row of rows) checkVerdict(row);
  }

  /** What a notebook shows in its place. */
  [displaySymbol](): MimeBundle {
    const line = (r: Claim): string => `[${r.verdict}] ${r.claim} (${r.source}). Measured: ${r.measured}`;
    return {
      "text/html": this.#html(),
      "text/plain": this.rows.map(line).join("\n"),
      [ledgerMime]: this.rows,
    };
  }

  #html(): string {
    const left = `style="text-align:left"`;
    const td = (text: string): string => `<td ${left}>${escapeHtml(text)}</td>`;
    const body = this.rows.map(
      (r) =>
        `<tr>${td(r.claim)}${td(r.source)}${td(r.measured)}` +
        `<td ${left}><strong>${mark(r.verdict)} ${escapeHtml(r.verdict)}</strong></td></tr>`,
    );
    const head = ["Claim", "Source", "Measured here", "Verdict"].map((h) => `<th ${left}>${h}</th>`);
    return `<table><caption>Claims ledger</caption><thead><tr>${head.join("")}</tr></thead><tbody>${body.join("")}</tbody></table>`;
  }
}

/**
 * The claims of a notebook beside what it measured, as a table.
 *
 * @throws {RangeError} if there is no claim or a verdict is unknown
 * @example
 * import { ledger } from "turnwise";
 * const claim = "GRPO learns LookUp-v0.";
 * ledger([{ claim, source: "this notebook", measured: "return 0.98 over 20 seeds", verdict: "holds" }]);
 */
export function ledger(rows: readonly Claim[]): Ledger {
  return new Ledger(rows);
}

function checkVerdict({ claim, verdict }: Claim): void {
  if (verdict === "holds" || verdict === "not reproduced") return;
  if (/^(holds only if|not reproduced:) \S/.test(verdict)) return;
  throw new RangeError(
    `Cannot enter "${claim}" in the ledger as its verdict must be "holds", "holds only if ...", ` +
      `"not reproduced" or "not reproduced: ...": current value is "${verdict as string}"`,
  );
}

/** A second cue beside the words, for readers who skim. */
function mark(verdict: Verdict): string {
  if (verdict === "holds") return "✓";
  return verdict.startsWith("holds") ? "◐" : "✗";
}
