import { displaySymbol, type MimeBundle } from "../base/display";
import { Verdict } from "../base/verdict";
import { escapeHtml } from "./escapeHtml";

/** What rows said before `verdict` decided them. */
type Words = "holds" | `holds only if ${string}` | "not reproduced" | `not reproduced: ${string}`;

/** One line of a ledger: a statement, who says so, what was measured, and the verdict. */
export interface Claim {
  /** The statement, in one sentence. */
  readonly claim: string;
  /** Who makes it: paper and section, or "this notebook". */
  readonly source: string;
  /** What was computed, with its interval and number of seeds. */
  readonly measured: string;
  readonly verdict: Verdict | Words;
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
    const line = (r: Claim): string => `[${spoken(r)}] ${r.claim} (${r.source}). Measured: ${r.measured}`;
    return {
      "text/html": this.#html(),
      "text/plain": this.rows.map(line).join("\n"),
      [ledgerMime]: this.rows.map((row) =>
        row.verdict instanceof Verdict
          ? { ...row, verdict: row.verdict.text, reason: row.verdict.reason, family: row.verdict.family }
          : row,
      ),
    };
  }

  #html(): string {
    const top = `style="text-align:left;vertical-align:top"`;
    const td = (text: string): string => `<td ${top}>${escapeHtml(text)}</td>`;
    const body = this.rows.map(
      (r) =>
        `<tr>${td(r.claim)}${td(r.source)}${td(r.measured)}<td ${top}>${verdictHtml(r.verdict)}</td></tr>`,
    );
    const head = ["Claim", "Source", "Measured here", "Verdict"].map((h) => `<th ${top}>${h}</th>`);
    return `<table><caption>Claims ledger</caption><thead><tr>${head.join("")}</tr></thead><tbody>${body.join("")}</tbody></table>`;
  }
}

/** The words of a verdict, with its family below and what decided it on a click or under the pointer. */
function verdictHtml(verdict: Claim["verdict"]): string {
  const text = String(verdict);
  const words = `<strong>${mark(text)} ${escapeHtml(text)}</strong>`;
  if (!(verdict instanceof Verdict)) return words;
  const reason = escapeHtml(verdict.reason);
  const family = verdict.family === null ? "" : `<br><small>${escapeHtml(verdict.family)}</small>`;
  return (
    `<details style="max-width:36em" title="${reason}">` +
    `<summary style="cursor:pointer;display:list-item">${words}${family}</summary>` +
    `<small>${reason.replaceAll("; ", "<br>")}</small></details>`
  );
}

function spoken({ verdict }: Claim): string {
  return verdict instanceof Verdict && verdict.family !== null
    ? `${verdict.text}; ${verdict.family}`
    : String(verdict);
}

/**
 * The claims of a notebook beside what it measured, as a table.
 *
 * @throws {RangeError} if there is no claim or a verdict is unknown
 * @example
 * import { ledger } from "turnwise";
 * import { share, verdict } from "turnwise/study";
 * const claim = "GRPO solves LookUp-v0 more often than not.";
 * const decided = verdict({ effect: share(19, 20, 0.5), smallestEffectOfInterest: 0.1 });
 * ledger([{ claim, source: "this notebook", measured: "19 of 20 runs", verdict: decided }]);
 */
export function ledger(rows: readonly Claim[]): Ledger {
  return new Ledger(rows);
}

function checkVerdict({ claim, verdict }: Claim): void {
  if (verdict instanceof Verdict) return;
  if (verdict === "holds" || verdict === "not reproduced") return;
  if (/^(holds only if|not reproduced:) \S/.test(verdict)) return;
  throw new RangeError(
    `Cannot enter "${claim}" in the ledger as its verdict must be "holds", "holds only if ...", ` +
      `"not reproduced" or "not reproduced: ...": current value is "${verdict as string}"`,
  );
}

/** A second cue beside the words, for readers who skim. */
function mark(verdict: string): string {
  if (verdict === "holds") return "✓";
  if (verdict.startsWith("holds")) return "◐";
  if (verdict === "no effect that matters") return "≈";
  return verdict === "not shown" || verdict === "too few seeds" ? "?" : "✗";
}
