import { checkCard, type CheckCard } from "../../base/checkCard";
import { displaySymbol, type MimeBundle } from "../../base/display";
import { citations, type Recipe } from "../../rule";
import type { CheckName, Finding } from "./finding";
import { ownLabels } from "./own";

/** Report of `checkRule`: a card in a notebook, lines as text, and plain data as JSON. */
export class RuleCard {
  constructor(
    readonly row: Recipe,
    readonly findings: readonly Finding[],
  ) {}

  /** Whether no check found a fault. */
  get passed(): boolean {
    return this.failed.length === 0;
  }

  /** The checks that found a fault, in the order of the card. */
  get failed(): readonly CheckName[] {
    return this.findings.filter(({ verdict }) => verdict === "failed").map(({ check }) => check);
  }

  /** The checks that found something to look at that breaks no promise, in the order of the card. */
  get noted(): readonly CheckName[] {
    return this.findings.filter(({ verdict }) => verdict === "noted").map(({ check }) => check);
  }

  /** The finding of a check. */
  of(check: CheckName): Finding {
    return this.findings.find((finding) => finding.check === check)!;
  }

  /** Plain data: the recipe, the labels of custom functions, and all findings with their figures. */
  toJSON(): { recipe: string; own: readonly string[]; passed: boolean; findings: readonly Finding[] } {
    return { recipe: this.row.name, own: ownLabels(this.row), passed: this.passed, findings: this.findings };
  }

  /** A line for each check. */
  toString(): string {
    return this.#card().toString();
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    return this.#card()[displaySymbol]();
  }

  #card(): CheckCard {
    const own = ownLabels(this.row);
    const { title } = citations[this.row.name];
    const faults = this.passed ? "no fault found" : `faults: ${this.failed.join(", ")}`;
    const notes = this.noted.length === 0 ? "" : `; look at: ${this.noted.join(", ")}`;
    return checkCard({
      title: `${title}${own.length === 0 ? "" : ` with ${own.map((label) => `"${label}"`).join(", ")}`}: ${faults}${notes}`,
      about:
        `✓ holds, ✗ a fault, ${notes === "" ? "" : "! a bad idea or a hidden mistake, "}· a fact about the rule. ` +
        "Groups of four on three games, all of them enumerated.",
      rows: this.findings.map(({ check, verdict, sentence, hint }) => ({
        name: check,
        ok: verdict === "told" || verdict === "noted" ? null : verdict === "passed",
        ...(verdict === "noted" && { note: true as const }),
        figure: sentence,
        ...(hint !== undefined && { hint }),
      })),
    });
  }
}
