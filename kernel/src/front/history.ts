/** One cell that was run: session number, line number, source. */
export type HistoryEntry = [session: number, line: number, source: string];

/** Options of a history_request. */
export interface HistoryQuery {
  hist_access_type?: unknown;
  session?: unknown;
  start?: unknown;
  stop?: unknown;
  n?: unknown;
  pattern?: unknown;
  unique?: unknown;
}

/** The cells run so far, oldest first. */
export class History {
  constructor(
    private readonly entries: HistoryEntry[] = [],
    readonly session = 1 + (entries.at(-1)?.[0] ?? 0),
    private readonly onAdd: (entry: HistoryEntry) => void = () => undefined,
  ) {}

  add(line: number, source: string): void {
    const entry: HistoryEntry = [this.session, line, source];
    this.entries.push(entry);
    this.onAdd(entry);
  }

  /** The entries for a `tail`, `range` or `search` request (messaging protocol 5.4, "History"). */
  query(q: HistoryQuery): HistoryEntry[] {
    const limit = typeof q.n === "number" && q.n >= 0 ? Math.floor(q.n) : Infinity;
    switch (q.hist_access_type) {
      case "range":
        return this.range(q);
      case "search": {
        const matches = globMatcher(typeof q.pattern === "string" ? q.pattern : "*");
        let found = this.entries.filter(([, , source]) => matches(source));
        if (q.unique) {
          const last = new Map(found.map((entry) => [entry[2], entry]));
          found = found.filter((entry) => last.get(entry[2]) === entry);
        }
        return tail(found, limit);
      }
      default:
        return tail(this.entries, limit);
    }
  }

  private range(q: HistoryQuery): HistoryEntry[] {
    const wanted = typeof q.session === "number" ? q.session : 0;
    // 0 is this session, -1 the one before it.
    const session = wanted > 0 ? wanted : this.session + wanted;
    const start = typeof q.start === "number" ? q.start : 0;
    const stop = typeof q.stop === "number" ? q.stop : Infinity;
    return this.entries.filter(([s, line]) => s === session && line >= start && line < stop);
  }
}

function tail<T>(all: T[], n: number): T[] {
  return n === Infinity ? [...all] : n === 0 ? [] : all.slice(-n);
}

/**
 * Whether a text is of a form: `*` stands for any text, `?` for any character. Each part between two stars takes the first place that it
 * fits, and never another one: a regular expression would try all of them, which takes hours with many stars.
 */
function globMatcher(glob: string): (text: string) => boolean {
  const [first = "", ...others] = glob.split(/\*+/);
  const last = others.pop();
  return (text) => {
    if (!fits(first, text, 0)) return false;
    if (last === undefined) return text.length === first.length;
    let at = first.length;
    for (const part of others) {
      const found = placeOf(part, text, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    const end = text.length - last.length;
    return end >= at && fits(last, text, end);
  };
}

function placeOf(part: string, text: string, from: number): number {
  if (!part.includes("?")) return text.indexOf(part, from);
  for (let at = from; at + part.length <= text.length; at++) if (fits(part, text, at)) return at;
  return -1;
}

function fits(part: string, text: string, at: number): boolean {
  if (!part.includes("?")) return text.startsWith(part, at);
  if (at + part.length > text.length) return false;
  for (let i = 0; i < part.length; i++) if (part[i] !== "?" && part[i] !== text[at + i]) return false;
  return true;
}
