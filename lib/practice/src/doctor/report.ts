import { displaySymbol, type MimeBundle } from "turnwise/internal/base/display";
import { FEWEST } from "turnwise/internal/monitor/fallWatch";
import { doubtsOf } from "../report/doubts";
import { codes, worstOf, type Code } from "../watch/codes";
import type { Cause } from "./causes";
import { UNMOVED } from "./causes/noGradient";
import { OF_THE_TASK } from "./causes/partsApart";
import { PAID_FOR_NOTHING } from "./causes/oneAnswerPaid";
import { OTHER_WEIGHTS } from "./causes/weightsNotLoaded";
import { htmlOf, fragmentOf } from "./page/html";
import { jsonOf, type DoctorJson } from "./page/json";
import { textOf } from "./page/text";
import type { ReportParts } from "./parts";
import type { FileGuess } from "./read";
import type { TwinReport } from "../twin";
import type { RunView } from "./view";

/** A run as one page: what happened, the likeliest causes, what to change, and what is not known. */
export class DoctorReport {
  readonly targets: readonly string[];
  /** Each file with what it was taken for, and why. */
  readonly files: readonly FileGuess[];
  /** The likeliest first. */
  readonly causes: readonly Cause[];
  readonly runs: readonly RunView[];
  readonly parts: ReportParts;

  constructor(parts: ReportParts) {
    this.parts = parts;
    this.targets = parts.targets;
    this.files = parts.files;
    this.causes = parts.causes;
    this.runs = parts.runs;
  }

  /** The run's rule in small worlds; undefined unless it was asked for and could be trained. */
  get twin(): TwinReport | undefined {
    const { twin } = this.parts;
    return typeof twin === "string" ? undefined : twin;
  }

  /** 0: checked, and success has not fallen; 3: it fell; 4: it cannot be told. */
  get code(): Code {
    if (this.runs.length === 0) return codes.unknown;
    // A start that was given up at once does not hide the run that followed.
    const long = this.runs.filter(({ records }) => records.length >= FEWEST);
    // What the sum of the rewards hides may be the task itself, a policy that never moved has nothing that could fall, and rewards of
    // another policy say nothing of the one that is trained.
    const hidden = this.causes.some(
      ({ name, weight }) =>
        (name === "parts-apart" && weight >= OF_THE_TASK) ||
        (name === "no-gradient" && weight >= UNMOVED) ||
        (name === "one-answer-paid" && weight >= PAID_FOR_NOTHING) ||
        (name === "weights-not-loaded" && weight >= OTHER_WEIGHTS),
    );
    return worstOf(
      (long.length > 0 ? long : this.runs).map((run) => {
        const { verdict, records, log, number, of } = run;
        if (verdict.success.kind === "fell") return codes.fell;
        if (log.failure?.isStop === false && number === of) return codes.unknown;
        const broken = verdict.notFinite.some(({ lasts, recurs }) => lasts || recurs);
        // A run that learned nothing has nothing that could fall.
        const doubtful = hidden && run === this.parts.view.run;
        const isDoubted = doubtsOf(records).length > 0;
        return verdict.success.kind === "unknown" || broken || isDoubted || doubtful
          ? codes.unknown
          : codes.healthy;
      }),
    );
  }

  /** The most likely cause with its evidence, or that there is none. */
  get headline(): string {
    return this.toString().split("\n")[0]!;
  }

  /** The page for a terminal: at most 100 columns. */
  toString(): string {
    return textOf(this.parts, this.code);
  }

  /** The page as a file for a browser. */
  toHtml(): string {
    return htmlOf(this.parts, this.code);
  }

  /** The page as plain data. */
  toJSON(): DoctorJson {
    return jsonOf(this.parts, this.code);
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    return { "text/html": fragmentOf(this.parts, this.code), "text/plain": this.toString() };
  }
}
