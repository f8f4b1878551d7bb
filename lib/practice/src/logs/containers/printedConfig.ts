/** The beginning of the configuration that verl, and what is built on it, prints before a run: a dict of Python. */
const begins = /^(?<before>.*?)(?<dict>\{'(?:actor_rollout_ref|algorithm)': \{.*)$/;
// eslint-disable-next-line no-control-regex -- terminals color what they are given
const colors = /\u001B\[[\d;]*m/g;
/** Lines of the longest configuration. */
const MOST_LINES = 5000;

/** Finds the configuration that a run printed to its console. */
export class PrintedConfig {
  #before: string | undefined;
  #text = "";
  #lines = 0;
  #over = false;
  /** The configuration; undefined if none was printed as a whole. */
  value: Readonly<Record<string, unknown>> | undefined;

  push(content: string): void {
    if (this.#over) return;
    const line = content.replace(colors, "");
    if (this.#before === undefined) {
      const found = begins.exec(line)?.groups;
      if (found === undefined) return;
      this.#before = found.before!.trim();
      this.#add(found.dict!);
      return;
    }
    // Lines of other processes stand between those of this one.
    if (line.startsWith(this.#before)) this.#add(line.slice(this.#before.length));
  }

  #add(line: string): void {
    this.#text += `${line}\n`;
    this.#lines += 1;
    if (this.#lines > MOST_LINES) this.#over = true;
    // Only a line that closes something can be the last.
    if (!line.trimEnd().endsWith("}")) return;
    const reader = new Literals(this.#text);
    const value = reader.read();
    if (value === undefined || reader.broken) return;
    this.#over = true;
    this.value = value as Readonly<Record<string, unknown>>;
  }
}

const names: Readonly<Record<string, unknown>> = {
  True: true,
  False: false,
  None: null,
  inf: null,
  nan: null,
};

/** Reads a literal of Python: dicts, lists, tuples, texts and numbers. */
class Literals {
  #at = 0;
  /** Whether the text ended in the middle, or has something that is no literal. */
  broken = false;

  constructor(private readonly text: string) {}

  read(): unknown {
    const char = this.#next();
    if (char === "{") return this.#dict();
    if (char === "[" || char === "(") return this.#list(char === "[" ? "]" : ")");
    if (char === "'" || char === '"') return this.#texts();
    const word = /^[^\s,:{}[\]()'"]+/.exec(this.text.slice(this.#at, this.#at + 64))?.[0];
    if (word === undefined) {
      this.broken = true;
      return undefined;
    }
    this.#at += word.length;
    if (word in names) return names[word];
    const value = Number(word);
    if (Number.isNaN(value)) this.broken = true;
    return value;
  }

  #next(): string | undefined {
    while (/\s/.test(this.text[this.#at] ?? "")) this.#at += 1;
    return this.text[this.#at];
  }

  /** Whether a list or dict goes on; false at its end, which is passed. */
  #more(end: string): boolean {
    if (this.broken) return false;
    if (this.#next() === ",") this.#at += 1;
    const char = this.#next();
    if (char === undefined) this.broken = true;
    if (char === end) this.#at += 1;
    return char !== undefined && char !== end;
  }

  #list(end: string): unknown[] {
    this.#at += 1;
    const items: unknown[] = [];
    while (this.#more(end)) items.push(this.read());
    return items;
  }

  #dict(): Record<string, unknown> {
    this.#at += 1;
    const entries: [string, unknown][] = [];
    while (this.#more("}")) {
      const key = String(this.read());
      if (this.#next() !== ":") this.broken = true;
      this.#at += 1;
      entries.push([key, this.read()]);
    }
    return Object.fromEntries(entries);
  }

  /** A text, which a long one is cut into several of. */
  #texts(): string {
    let all = "";
    for (let quote = this.#next(); quote === "'" || quote === '"'; quote = this.#next()) {
      let end = this.#at + 1;
      for (; end < this.text.length && this.text[end] !== quote; end++) if (this.text[end] === "\\") end += 1;
      if (end >= this.text.length) {
        this.broken = true;
        return all;
      }
      all += this.text.slice(this.#at + 1, end).replace(/\\(.)/gs, "$1");
      this.#at = end + 1;
    }
    return all;
  }
}
