import { displaySymbol, type MimeBundle } from "../base/display";
import { show } from "../base/show";
import { Verdict } from "../base/verdict";
import { escapeHtml } from "./escapeHtml";

/** One line of a ledger: a statement, who says so, what was measured, and the verdict. */
export interface Claim {
  /** The statement, in one sentence. */
  readonly claim: string;
  /** Source of the claim: paper and section, or "this notebook". */
  readonly source: string;
  /** Measurement, with its interval and number of seeds. */
  readonly measured: string;
  /** Verdict of `verdict(...)` of `turnwise/verdict`. */
  readonly verdict: Verdict;
}

/** The media type of a ledger: its rows as JSON. */
export const ledgerMime = "application/vnd.turnwise.ledger+json";

/** The claims of a notebook beside what it measured. */
export class Ledger {
  constructor(readonly rows: readonly Claim[]) {
    if (rows.length === 0) {
      throw new RangeError("Cannot show a claims ledger: it must hold a claim, got none.");
    }
    for (const row of rows) expectDecided(row);
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    const line = (r: Claim): string => `[${spoken(r)}] ${r.claim} (${r.source}). Measured: ${r.measured}`;
    return {
      "text/html": this.#html(),
      "text/plain": this.rows.map(line).join("\n"),
      [ledgerMime]: this.rows.map(({ verdict: { text, reason, family }, ...row }) => ({
        ...row,
        verdict: text,
        reason,
        family,
      })),
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
function verdictHtml({ kind, text, reason, family }: Verdict): string {
  const short = inShort(text);
  const words = `<strong>${signs[kind]} ${escapeHtml(short)}</strong>`;
  const among = family === null ? "" : `<br><small>${escapeHtml(family)}</small>`;
  const why = escapeHtml(short === text ? reason : `${text}; ${reason}`);
  return (
    `<details style="min-width:11em;max-width:36em" title="${why}">` +
    `<summary style="cursor:pointer;display:list-item">${words}${among}</summary>` +
    `<small>${why.replaceAll("; ", "<br>")}</small></details>`
  );
}

/** A verdict that fits its column: settings that would fill lines are counted, and named on a click. */
function inShort(text: string): string {
  if (text.length <= 48) return text;
  const counted = /\((\d+) of (\d+) settings\)$/.exec(text);
  if (counted !== null) return `holds in ${counted[1]!} of ${counted[2]!} settings`;
  const named = /^(holds if [^=]+ = (.+)) of \{(.+)\}$/.exec(text);
  if (named === null) return text;
  const [, held = "", values = "", tried = ""] = named;
  const all = tried.split(tried.includes("; ") ? "; " : ", ").length;
  return held.length <= 48
    ? `${held} (of ${all} tried)`
    : `holds in ${values.split(" or ").length} of ${all} settings`;
}

function spoken({ verdict: { text, family } }: Claim): string {
  return family === null ? text : `${text}; ${family}`;
}

/** A second cue beside the words, for readers who skim. */
const signs: Readonly<Record<Verdict["kind"], string>> = {
  holds: "✓",
  "holds if": "◐",
  refuted: "✗",
  "no effect that matters": "≈",
  "not shown": "?",
  "too few seeds": "?",
};

/**
 * The claims of a notebook beside what it measured, as a table.
 *
 * @throws {RangeError} if there is no claim
 * @throws {TypeError} if a verdict was written by hand
 * @example
 * import { ledger } from "turnwise";
 * import { share, verdict } from "turnwise/verdict";
 * const claim = "GRPO solves LookUp-v0 more often than not.";
 * const decided = verdict({ effect: share(19, 20, 0.5), smallestEffectOfInterest: 0.1 });
 * ledger([{ claim, source: "this notebook", measured: "19 of 20 runs", verdict: decided }]);
 */
export function ledger(rows: readonly Claim[]): Ledger {
  return new Ledger(rows);
}

function expectDecided({ claim, verdict }: Claim): void {
  const given: unknown = verdict;
  if (given instanceof Verdict) return;
  throw new TypeError(
    `Cannot enter "${claim}" in the ledger: its verdict must be decided by verdict() of turnwise/verdict, ` +
      `got ${typeof given === "object" && given !== null ? "an object" : show(given)}.`,
  );
}
