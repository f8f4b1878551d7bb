import { expectKnown } from "turnwise/internal/base/expect";
import { files } from "turnwise/internal/base/host/index";
import { examine, type DoctorOptions } from "./doctor";
import { listed } from "./files";
import { sectionsOf } from "./page/sections";
import { readFile, type ReadFile } from "./read";
import type { DoctorReport } from "./report";

const LOOK_AGAIN_MS = 200;
/** Reading takes at most this share of the time: a long log is read again more rarely. */
const READING_SHARE = 0.2;

/** Options of following a run. */
export interface FollowOptions {
  /** Ends after this many seconds in which no file changed. Default 600. */
  readonly idleSeconds?: number;
  /** Ends when it is aborted. */
  readonly signal?: AbortSignal;
  /** Receives each report that says something new, and the alarms that are new in it. At the end, the last one comes again as `last`. */
  readonly onReport: (
    report: DoctorReport,
    what: { readonly alarms: readonly string[]; readonly last: boolean },
  ) => void;
}

/**
 * Examines a run again whenever its files change, until nothing has changed for a while or `signal` is aborted. Files may grow, be
 * replaced, begin again or appear later; a last line that is half written waits for its end.
 *
 * @returns the last report; undefined if there was never anything to read
 * @throws {RangeError} if a path is not there at the start, or an option is unknown or out of range
 */
export async function followRun(
  targets: readonly string[],
  options: DoctorOptions,
  follow: FollowOptions,
): Promise<DoctorReport | undefined> {
  expectKnown("follow a run", follow, ["idleSeconds", "signal", "onReport"]);
  const { idleSeconds = 600, signal, onReport } = follow;
  if (!(idleSeconds > 0)) {
    throw new RangeError(`Cannot follow a run: the idle timeout must be above 0 s, got ${idleSeconds}.`);
  }
  for (const target of targets) listed(target);
  const memory = new Memory();
  let before = "";
  let said = "";
  let report: DoctorReport | undefined;
  const alarms = new Set<string>();
  let changedAt = performance.now();
  for (;;) {
    const now = fingerprint(targets);
    const began = performance.now();
    if (now !== before) {
      [before, changedAt] = [now, began];
      const next = await memory.examine(targets, options, true);
      if (next !== undefined) {
        report = next;
        const found = alarmsOf(next);
        const added = [...found].filter(([key]) => !alarms.has(key));
        for (const [key] of added) alarms.add(key);
        const tells = gistOf(next);
        // A report may lose what an earlier one said, when a run begins again: then its alarms may ring again.
        for (const key of alarms) if (!found.has(key)) alarms.delete(key);
        if (tells !== said) onReport(next, { alarms: added.map(([, text]) => text), last: false });
        said = tells;
      }
    }
    if (signal?.aborted || performance.now() - changedAt > 1000 * idleSeconds) break;
    const pause = Math.max(LOOK_AGAIN_MS, (performance.now() - began) / READING_SHARE);
    await sleep(Math.min(pause, 1000 * idleSeconds), signal);
  }
  // A file that ends without a line's end is whole all the same.
  const final = (await memory.examine(targets, options, false)) ?? report;
  if (final !== undefined) onReport(final, { alarms: [], last: true });
  return final;
}

/** Files as they were read last, so that only what has changed is read again. */
class Memory {
  readonly #read = new Map<string, { readonly stamp: string; readonly file: ReadFile }>();

  /** The report on what can be read now; undefined while there is nothing. */
  async examine(
    targets: readonly string[],
    options: DoctorOptions,
    wholeLines: boolean,
  ): Promise<DoctorReport | undefined> {
    try {
      return await examine(targets, options, async (file, how) => {
        const stamp = `${stampOf(file)} ${wholeLines}`;
        const known = this.#read.get(file);
        if (known?.stamp === stamp) return known.file;
        const next = await readFile(file, { ...how, wholeLines });
        // A file that is being rewritten is briefly no log: its last state counts until it is one again.
        const kept = next.kind === "foreign" && known !== undefined ? known.file : next;
        this.#read.set(file, { stamp, file: kept });
        return kept;
      });
    } catch (error) {
      // There is nothing yet, or a file went away between being listed and being read: it is looked for again.
      if (error instanceof RangeError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }
}

/** Size and time of all files: when none differs, nothing has been written. */
function fingerprint(targets: readonly string[]): string {
  try {
    return targets
      .flatMap((target) => listed(target).paths)
      .map((file) => `${file} ${stampOf(file)}`)
      .join("\n");
  } catch (error) {
    if (error instanceof RangeError) return "gone";
    throw error;
  }
}

function stampOf(file: string): string {
  const found = files.statSync(file, { throwIfNoEntry: false });
  return found === undefined ? "gone" : `${found.size} ${found.mtimeMs}`;
}

/** The text of a report without the numbers that change with every step. */
function gistOf(report: DoctorReport): string {
  const causes = report.causes.filter(({ weight }) => weight >= 10).slice(0, 3);
  return JSON.stringify([
    report.code,
    causes.map(({ name }) => name),
    report.files.map(({ path, kind }) => [path, kind]),
    report.runs.map(({ verdict, events, resumed }) => [
      verdict.success.kind,
      events.map(({ title, rose }) => [title, rose]),
      resumed.length,
    ]),
    [...alarmsOf(report).keys()],
  ]);
}

/** Each kind of alarm of each run, with its first step. */
function alarmsOf(report: DoctorReport): Map<string, string> {
  const found = new Map<string, string>();
  for (const { log, number, verdict } of report.runs) {
    const add = (name: string, text: string): void => {
      const key = `${log.guess.path} ${number} ${name}`;
      if (!found.has(key)) found.set(key, text);
    };
    for (const { rule, update } of verdict.alarms) add(rule, `${rule} at step ${update}`);
    for (const { name, from } of verdict.notFinite)
      add(`NaN ${name}`, `${name} is not a number from step ${from} on`);
    if (verdict.success.kind === "fell") add("fell", `success fell from step ${verdict.dip!.onset} on`);
  }
  return found;
}

/** The head of a page: its first line, and what happened in a line or two. */
export function headOf(report: DoctorReport): string {
  const happened = sectionsOf(report.parts).find(({ title }) => title === "What happened");
  const lines = (happened?.lines ?? []).filter((line): line is string => typeof line === "string");
  return [report.headline, ...lines.slice(0, 2)].join("\n");
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });
}
