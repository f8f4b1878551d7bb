/** An error after the last metrics of a console. */
export interface Failure {
  /** The error that came first, and where: later ones often follow from it. */
  readonly text: string;
  /** The last one, where it is another. */
  readonly ended: string | undefined;
  /** Number of the line of the first, from 1. */
  readonly line: number;
  /** Number of the code cell, from 1, in a notebook. */
  readonly cell?: number;
  /** Whether it was stopped from outside, by its owner or a scheduler. */
  readonly isStop: boolean;
}

/** A hangup, an interrupt or a request to end. */
const stops = /\bKeyboardInterrupt\b|\bgot signal: (1|2|15)\b|\bCANCELLED\b/;

/** Ray prints an error of another process without the first line that Python gives a traceback. */
const begins = /Traceback \(most recent call last\):|\bray::[\w.]+\(\) \(pid=/;
/** Python prints errors of its own end, after a run that is over. */
const ignored = /\bException ignored (?:in|on|while)\b/;
/** The line of a scheduler that ends a job. */
const cancelled = /^slurmstepd: error: (?<text>.*\bCANCELLED\b.*)$/;
const frame = /^File "(?:[^"]*[\\/])?(?<file>[^"]+)", line (?<line>\d+)(?:, in (?<name>\S+))?/;
/** The last line of a traceback. */
const raised =
  /^(?<kind>(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Exit|Timeout|Failure))(?:\((?<of>\w+)\))?(?:: .*)?$/;
/** Errors that hand on one of another process, which is printed too. */
const wraps = /^(RayTaskError|ChildFailedError|ProcessRaisedException)$/;
/** Lines that Ray takes from other processes. It prints an error that ends the run without this. */
const ofProcess = /^\([\w:. ]+ pid=\d+(?:, ip=[\d.]+)?\)/;
const LONGEST = 200;
/** Lines that may follow the last error, such as those of other processes that end. An error with more after it was caught. */
const MOST_AFTER = 200;

const shortened = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST - 3)}...` : text;

interface Found {
  readonly text: string;
  readonly at: string;
  readonly line: number;
}

/** Finds the error that a console's output ends in. */
export class Failures {
  #open = false;
  #passes = false;
  #line = 0;
  #frame = "";
  #first: Found | undefined;
  #last: Found | undefined;
  #wrapper: Found | undefined;

  /** @param content a line without colors and blanks around it */
  push(content: string): void {
    this.#line += 1;
    if (ofProcess.test(content)) return;
    if (ignored.test(content)) this.#passes = true;
    if (begins.test(content)) [this.#open, this.#frame] = [true, ""];
    const { file, line, name } = frame.exec(content)?.groups ?? {};
    if (file !== undefined) this.#frame = ` (${name === undefined ? "" : `${name}, `}${file}:${line})`;
    const stop = cancelled.exec(content)?.groups?.text;
    if (stop !== undefined) this.#found(stop, "");
    const kind = this.#open ? raised.exec(content)?.groups?.kind : undefined;
    if (kind === undefined) return;
    if (this.#passes) [this.#passes, this.#open] = [false, false];
    else if (wraps.test(kind.split(".").at(-1)!))
      this.#wrapper ??= { text: content, at: "", line: this.#line };
    else this.#found(content, this.#frame);
  }

  /** A step came after what was found, so the run went on. */
  goesOn(): void {
    this.#line += 1;
    [this.#open, this.#passes] = [false, false];
    [this.#first, this.#last, this.#wrapper] = [undefined, undefined, undefined];
  }

  get failure(): Failure | undefined {
    const first = this.#first ?? this.#wrapper;
    if (first === undefined || this.#line - (this.#last ?? first).line > MOST_AFTER) return undefined;
    const ended =
      this.#last === undefined || this.#last.text === first.text ? undefined : shortened(this.#last.text);
    return {
      text: shortened(first.text) + first.at,
      ended,
      line: first.line,
      isStop: stops.test(first.text),
    };
  }

  #found(text: string, at: string): void {
    const found = { text, at, line: this.#line };
    // What lies far before the last one was caught.
    if (this.#last === undefined || this.#line - this.#last.line > MOST_AFTER) this.#first = found;
    this.#last = found;
  }
}
