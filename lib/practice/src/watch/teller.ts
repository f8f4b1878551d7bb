import { short } from "turnwise/internal/base/curve";
import type { MonitorRecord } from "turnwise/internal/monitor/index";
import type { EchoTrapMonitor, Watched } from "turnwise/internal/monitor/echoTrapMonitor";
import { FallWatch } from "turnwise/internal/monitor/fallWatch";
import { judgeSuccess, type SuccessVerdict } from "turnwise/internal/monitor/judgeSuccess";
import { frameworks } from "../logs/frameworks";
import type { LogReader } from "../logs/logReader";
import { printable } from "../logs/plainName";
import { movementsOf, type Movement } from "turnwise/internal/monitor/movements";
import { NotFiniteTracker, notFiniteInWords } from "turnwise/internal/monitor/notFinite";
import type { Signals } from "turnwise/internal/monitor/signals";
import { chanceOf, courseInWords } from "../report/courseInWords";
import { isSilenceJudged, unshared } from "../report/logCard";
import { blindOf } from "../report/logRules";
import { doubtsOf } from "../report/doubts";
import { notesOf } from "../report/notesOf";
import { dipOf, logMonitor, SILENCE, withoutShares } from "../report/watchRecords";
import { AlarmLog } from "./alarmLog";
import { codes, type Code } from "./codes";

/** Reports the records of one run, and remembers whether success has fallen. */
export class Teller {
  readonly #reader: LogReader;
  readonly #optimum: number | undefined;
  readonly #write: (text: string) => unknown;
  #introduced = false;
  #records: MonitorRecord[] = [];
  #success: (number | undefined)[] = [];
  #watched: Watched[] = [];
  #monitor: EchoTrapMonitor;
  #fall = new FallWatch();
  #notFinite = new NotFiniteTracker();
  #alarms = new AlarmLog();
  /** Whether rewards are shares of the optimum, as far as is known: of a whole run before any of it is told. */
  #isShare = true;

  constructor(reader: LogReader, optimum: number | undefined, write: (text: string) => unknown) {
    this.#reader = reader;
    this.#optimum = optimum;
    this.#write = write;
    this.#monitor = this.#newMonitor();
  }

  say(line: string): void {
    this.#introduce();
    this.#write(`${printable(line)}\n`);
  }

  /** Whether success is known to have fallen: steps are told up to there. */
  get hasFallen(): boolean {
    return this.#fall.hasFallen;
  }

  /** Reports records as they come. */
  follow(records: readonly MonitorRecord[]): void {
    for (const record of records) {
      const told = !this.hasFallen;
      const watched = this.#observe(record);
      if (told) this.#tell(record, watched);
    }
  }

  /** Goes on from a step that was told before: the records from there on are forgotten. */
  resume(at: number): void {
    const after = this.#records.at(-1)?.update;
    const kept = this.#records.filter(({ update }) => update < at);
    this.begin();
    for (const record of kept) {
      const { alarms } = this.#observe(record);
      for (const alarm of alarms) this.#alarms.add(alarm);
      this.#notFinite.observe(record);
    }
    if (after !== undefined) this.say(`resumed at step ${at} after ${after}: the later values count`);
  }

  /** Forgets the previous run. */
  begin(): void {
    this.#records = [];
    this.#success = [];
    this.#watched = [];
    this.#monitor = this.#newMonitor();
    this.#fall = new FallWatch();
    this.#notFinite = new NotFiniteTracker();
    this.#alarms = new AlarmLog();
    this.#isShare = true;
  }

  /** Reports a whole run, up to where success had fallen. */
  tellWhole(records: readonly MonitorRecord[]): Code {
    const monitor = this.#newMonitor();
    const success = records.map((record) => monitor.observe(record).signals.success);
    this.#isShare = monitor.isShare;
    const verdict = judgeSuccess(success);
    const shown = verdict.kind === "fell" ? verdict.drop.at + 1 : records.length;
    for (const [i, record] of records.entries()) {
      const watched = this.#observe(record);
      if (i < shown) this.#tell(record, watched);
    }
    return this.#conclude(verdict);
  }

  /** Tells what there is to say at the end of a log that was followed, and gives what the command ends with. */
  end(): Code {
    return this.#conclude(judgeSuccess(this.#success, this.#fall));
  }

  #observe(record: MonitorRecord): Watched {
    const seen = this.#monitor.observe(record);
    const watched = this.#isShare ? seen : withoutShares(seen);
    this.#records.push(record);
    this.#success.push(watched.signals.success);
    this.#watched.push(watched);
    this.#fall.push(watched.signals.success);
    return watched;
  }

  #tell(record: MonitorRecord, { signals, alarms }: Watched): void {
    this.say(`step ${record.update}  ${inWords(signals)}`.trimEnd());
    for (const line of alarms.flatMap((alarm) => this.#alarms.add(alarm))) this.say(line);
    const stopped = this.#notFinite.observe(record);
    for (const sentence of notFiniteInWords(stopped)) this.say(`  ALARM not a number: ${sentence}`);
  }

  #introduce(): void {
    const { framework, why } = this.#reader;
    if (this.#introduced || framework === undefined) return;
    this.#introduced = true;
    this.#write(printable(`a log of ${frameworks[framework].title}: ${why}\n`));
  }

  #conclude(success: SuccessVerdict): Code {
    const dip = dipOf(this.#records, success);
    const fell = success.kind === "fell";
    // Of a fall, the records after it were not told, and one of them may have stopped being a number.
    const notFinite = new NotFiniteTracker();
    for (const record of this.#records) notFinite.observe(record);
    const shared = isSilenceJudged({ isShare: this.#monitor.isShare, watched: this.#watched });
    // Of a run that was followed, the alarm may have been told before a reward showed that it means nothing.
    const withdrawn = shared ? [] : this.#alarms.withdraw(SILENCE);
    const source = this.#reader.sourceOf(this.#records);
    const of = source === undefined ? "" : ` of ${source}`;
    const count = this.#alarms.count + Number(notFinite.found.length > 0);
    if (fell) {
      const { recovered } = dip!;
      const when =
        recovered === null ? "success has fallen" : `success fell and recovered by step ${recovered}`;
      const atEnd = recovered === null ? "" : `, and ${short(dip!.last)} at the end`;
      this.say(
        `${when}: a mean of 10 steps${of} went from ${short(dip!.best)} at step ` +
          `${this.#records[success.drop.bestAt]!.update} to ${short(success.drop.mean)} at step ${dip!.update}; ` +
          `it was low from step ${dip!.onset} on, and ${short(dip!.lowest)} at its lowest${atEnd}. ` +
          `${(100 * dip!.chance).toFixed(1)}% of ${chanceOf(dip!)} fall as deep`,
      );
      const moved = movementsOf(this.#records, success.drop.onset);
      if (moved.length > 0) this.say("what left its level, in this order:");
      const lines = moved.map((movement) => ({ step: movement.step, text: movementInWords(movement) }));
      lines.push({ step: dip!.onset, text: `success fell from step ${dip!.onset} on` });
      for (const { text } of lines.sort((a, b) => a.step - b.step)) this.say(`  ${text}`);
    }
    const steps = `${this.#records.length} steps, ${count} ${count === 1 ? "alarm" : "alarms"}`;
    if (success.kind === "held") {
      this.say(`${steps}; success has not fallen in ${success.checked} steps${of}`);
      if (dip !== null) this.say(courseInWords({ success, dip }));
    } else if (success.kind === "unknown") {
      this.say(steps);
      this.say(courseInWords({ success, dip }));
    } else {
      this.say(steps);
    }
    for (const line of this.#alarms.repeats()) this.say(line);
    for (const sentence of notFiniteInWords(notFinite.found)) this.say(`${sentence}.`);
    const doubts = fell ? [] : doubtsOf(this.#records);
    for (const doubt of doubts) this.say(doubt);
    const blind = blindOf(this.#monitor.blind).filter((name) => shared || name !== SILENCE);
    if (!shared) this.say(unshared);
    if (withdrawn.length > 0)
      this.say(
        `the alarm ${SILENCE} at step ${withdrawn[0]!.update} counts for nothing: later rewards are no shares`,
      );
    if (blind.length > 0) this.say(`not monitored (metrics missing): ${blind.join(", ")}`);
    const unknown = this.#reader.unknown.map(({ name, nearest }) =>
      nearest ? `${name} (near ${nearest})` : name,
    );
    if (unknown.length > 0) this.say(`names that are not read: ${unknown.join(", ")}`);
    for (const note of notesOf(this.#reader)) this.say(note);
    if (fell) return codes.fell;
    const broken = notFinite.found.some(({ lasts, recurs }) => lasts || recurs);
    return success.kind === "unknown" || broken || doubts.length > 0 ? codes.unknown : codes.healthy;
  }

  #newMonitor(): EchoTrapMonitor {
    return logMonitor(this.#optimum === undefined ? {} : { optimum: this.#optimum });
  }
}

const movementInWords = ({ title, step, before, extreme }: Movement): string =>
  `${title} ${extreme > before ? "rose" : "fell"} from step ${step} on, from ${short(before)} to ${short(extreme)}`;

const told: readonly (readonly [keyof Signals, string])[] = [
  ["success", "success"],
  ["fracZeroStd", "silent groups"],
  ["tokenEntropy", "entropy"],
  ["gradNorm", "gradient"],
  ["kl", "KL"],
  ["clipFraction", "clipped"],
  ["mismatch", "mismatch"],
  ["staleness", "staleness"],
  ["turns", "turns"],
  ["toolFailures", "failed calls"],
];

const inWords = (signals: Signals): string =>
  told
    .flatMap(([name, word]) => (signals[name] === undefined ? [] : [`${word} ${short(signals[name])}`]))
    .join("  ");
