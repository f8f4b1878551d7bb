import { reporters } from "mocha";
import { commitDurations } from "./durations.js";
import type { TestEvent } from "./events.js";
import { Position, span } from "./position.js";
import { whereTimeWent } from "./whereTimeWent.js";

interface Lane {
  depth: number;
  /** Lines that wait until another lane has printed its suite. */
  waiting: string[];
}

interface ReportOptions {
  readonly files: readonly string[];
  /** How many processes tell; default: one. */
  readonly lanes?: number;
  /** Prints where the time went. */
  readonly times?: boolean;
  /** Keeps the times for the next run's estimate; default: yes. */
  readonly store?: boolean;
  /** Writes the times into test/durations.json. */
  readonly record?: boolean;
  /** Lines that the end adds on what was not run. */
  readonly notRun?: readonly string[];
}

const { Base } = reporters;

/**
 * A tree of promises, what was skipped and why, and one closing line that a script can read. Of several lanes, one prints as it
 * goes; the others' suites come whole once that one's has ended.
 */
export class Report {
  private readonly lanes: readonly Lane[];
  private readonly position: Position;
  private readonly failures: (TestEvent & { t: "fail" })["listed"][] = [];
  private readonly skips = new Map<string, { count: number; readonly command: string }>();
  private passes = 0;
  private skipped = 0;
  private readonly again: string[] = [];
  /** When each lane had nothing left to do, in milliseconds from the start. */
  private readonly idleFrom = new Map<number, number>();
  private readonly processor = whereTimeWent();
  /** The lane that prints. */
  private floor = 0;

  constructor(private readonly o: ReportOptions) {
    this.lanes = Array.from({ length: o.lanes ?? 1 }, () => ({ depth: 0, waiting: [] }));
    this.position = new Position(o.files, this.lanes.length);
  }

  get failed(): number {
    return this.failures.length;
  }

  hear(event: TestEvent, lane = 0): void {
    const own = this.lanes[lane]!;
    switch (event.t) {
      case "suite": {
        if (own.depth === 0 && this.lanes[this.floor]!.depth === 0) this.give(lane);
        const where = event.file === undefined ? "" : this.position.enter(event.file, lane);
        own.depth++;
        if (event.title)
          this.line(
            lane,
            Base.color("suite", event.title) + (where && Base.color("light", `  [${where}]`)),
            0,
          );
        return;
      }
      case "suiteEnd":
        own.depth--;
        if (own.depth === 0 && lane === this.floor) this.release();
        return;
      case "pass": {
        this.passes++;
        const slow = event.speed === "fast" ? "" : Base.color(event.speed, ` (${String(event.duration)} ms)`);
        this.line(lane, Base.color("checkmark", "ok   ") + Base.color("pass", event.title) + slow);
        return;
      }
      case "skip": {
        this.skipped++;
        this.position.spoil(lane);
        const { reason, command } = event;
        const group = this.skips.get(reason) ?? { count: 0, command };
        group.count++;
        this.skips.set(reason, group);
        this.line(lane, Base.color("pending", `skip ${event.title}: ${reason}`));
        return;
      }
      case "fail":
        this.position.spoil(lane);
        this.failures.push(event.listed);
        this.line(lane, Base.color("fail", `FAIL ${String(this.failures.length)}) ${event.title}`));
        this.tell(lane, event.message);
        return;
      case "again":
        this.again.push(event.title);
        this.line(lane, Base.color("medium", `AGAIN ${event.title}: its first try failed`));
        this.tell(lane, event.message);
        return;
      case "end":
        this.position.leave(lane);
        own.depth = 0;
        if (lane === this.floor) this.release();
        return;
    }
  }

  /** What a test has printed. */
  said(text: string, lane: number): void {
    for (const one of text.replace(/\n$/, "").split("\n")) this.print(lane, one);
  }

  /** A lane has ended before its tests had. */
  died(how: string, lane: number): void {
    const file = this.position.fileOf(lane) ?? "the first suite";
    const message = `The process of these tests ended with ${how} before they had`;
    this.hear(
      { t: "fail", title: file, message, listed: ["  %s) %s:\n     %s\n%s", file, message, ""] },
      lane,
    );
    this.hear({ t: "end" }, lane);
  }

  /** A lane has no more to do. */
  idle(lane: number): void {
    this.idleFrom.set(lane, this.position.elapsed);
  }

  /** Prints what the run came to, and returns the last line. */
  end(): string {
    const print = Base.consoleLog;
    for (let lane = 0; lane < this.lanes.length; lane++) this.hear({ t: "end" }, lane);
    const usual = (this.o.store ?? true) ? this.position.store() : {};
    if (this.o.record) commitDurations(usual);
    if (this.o.times) {
      const { elapsed } = this.position;
      const idle = this.lanes.map((_, lane) => elapsed - (this.idleFrom.get(lane) ?? elapsed));
      for (const line of this.processor(this.position.times, idle)) print(line);
    }
    if (this.failures.length) print("");
    this.failures.forEach(([how, ...what], i) => {
      print(how, i + 1, ...what);
    });
    if (this.again.length) print(`\n${String(this.again.length)} tried again, see AGAIN above:`);
    for (const title of this.again) print("       " + title);
    if (this.skipped) print("\nSkipped:");
    this.skips.forEach(({ count, command }, reason) => {
      print(String(count).padStart(5) + "  " + reason + (command && "; to enable: " + command));
    });
    if (this.o.notRun?.length) print("\nNot run:");
    for (const line of this.o.notRun ?? []) print(line);
    print("\n" + span(this.position.elapsed));
    const counts = `${String(this.passes)} passed, ${String(this.failures.length)} failed, ${String(this.skipped)} skipped`;
    print(counts);
    return counts;
  }

  /** The list of failures at the end may be cut from a long log: the first lines of the reason stand here, too. */
  private tell(lane: number, message: string): void {
    for (const text of message.split("\n").slice(0, 6)) this.line(lane, "     " + text.slice(0, 300));
  }

  private line(lane: number, text: string, deeper = 1): void {
    this.print(lane, "  ".repeat(this.lanes[lane]!.depth + deeper) + text);
  }

  private print(lane: number, line: string): void {
    if (lane === this.floor) Base.consoleLog("%s", line);
    else this.lanes[lane]!.waiting.push(line);
  }

  private give(lane: number): void {
    this.floor = lane;
    this.flush(lane);
  }

  private flush(lane: number): void {
    for (const line of this.lanes[lane]!.waiting.splice(0)) Base.consoleLog("%s", line);
  }

  /** The suite that was printed has ended: what waits is printed, and a lane that is in a suite goes on printing. */
  private release(): void {
    const busy = this.lanes.findIndex(({ depth }) => depth > 0);
    this.lanes.forEach((_, lane) => {
      if (lane !== busy) this.flush(lane);
    });
    if (busy >= 0) this.give(busy);
  }
}
