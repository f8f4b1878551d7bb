import type { Code } from "../../watch/codes";
import type { Census } from "../census";
import type { SignalEvent } from "../../report/events";
import type { FileGuess, ReadRollouts } from "../read";
import type { ReportParts } from "../parts";
import type { TwinJson } from "../../twin";
import type { Found, Open } from "../../lint";
import { foundWithLog } from "../foundWithLog";
import { headlineOf } from "./headline";

/** A report as plain data, without the records of the log. */
export interface DoctorJson {
  readonly code: Code;
  readonly headline: string;
  readonly files: readonly FileGuess[];
  readonly runs: readonly {
    readonly file: string;
    readonly run: number;
    readonly first: number;
    readonly last: number;
    readonly steps: number;
    readonly success: "fell" | "held" | "unknown";
    readonly why?: string;
    readonly onset: number | null;
    readonly best: number | null;
    readonly lowest: number | null;
    readonly chance: number | null;
    readonly events: readonly SignalEvent[];
    readonly notFinite: readonly { readonly name: string; readonly from: number; readonly lasts: boolean }[];
  }[];
  readonly causes: readonly {
    readonly name: string;
    readonly title: string;
    readonly weight: number;
    readonly evidence: readonly string[];
    readonly change: readonly string[];
    readonly advice?: string;
    readonly section: string;
    readonly lesson: string;
  }[];
  readonly configuration: {
    readonly trainer: string;
    readonly version: string;
    readonly rule: string | null;
    readonly found: readonly Found[];
    readonly undecided: readonly Open[];
    readonly clear: readonly string[];
  } | null;
  readonly rollouts: readonly (Census & { readonly credit?: ReadRollouts["credit"] })[];
  /** The rule in small worlds, if it was asked for: or why it could not be trained there. */
  readonly twin?: TwinJson | { readonly why: string };
}

/** The page as plain data. */
export function jsonOf(parts: ReportParts, code: Code): DoctorJson {
  const { view, runs, causes, configs } = parts;
  const lint = configs[0]?.lint;
  return {
    code,
    headline: headlineOf(parts, code),
    files: parts.files,
    runs: runs.map(({ log, number, first, last, records, verdict, events }) => {
      const { success, dip, notFinite } = verdict;
      return {
        file: log.guess.path,
        run: number,
        first,
        last,
        steps: records.length,
        success: success.kind,
        ...(success.kind === "unknown" && { why: success.why }),
        onset: success.kind === "fell" ? dip!.onset : null,
        best: dip?.best ?? null,
        lowest: dip?.lowest ?? null,
        chance: dip?.chance ?? null,
        events,
        notFinite: notFinite.map(({ name, from, lasts }) => ({ name, from, lasts })),
      };
    }),
    causes: causes.map(({ name, title, weight, evidence, change, advice, section, lesson }) => ({
      name,
      title,
      weight,
      evidence,
      change: view.subject?.write(change) ?? [],
      ...(advice !== undefined && { advice }),
      section,
      lesson,
    })),
    configuration:
      lint === undefined
        ? null
        : {
            trainer: lint.title,
            version: lint.version,
            rule: lint.rule?.name ?? null,
            found: foundWithLog(view),
            undecided: lint.undecided,
            clear: lint.clear,
          },
    rollouts: view.rollouts.map(({ census, credit }) => ({ ...census, ...(credit && { credit }) })),
    ...(parts.twin !== undefined && {
      twin: typeof parts.twin === "string" ? { why: parts.twin } : parts.twin.toJSON(),
    }),
  };
}
