import type { Magic, MagicHost } from "./contract.js";
import { duration } from "./duration.js";

const repeats = 7;
/** A round takes at least this long, so that the clock's own grain does not count. */
const shortestRoundMs = 100;
/** Between two looks at whether the cell was interrupted. */
const loopsAtOnce = 512;

/** `%timeit`, `%%timeit`: how long one run of a statement takes, from many runs. */
export const timeit: Magic = {
  name: "timeit",
  forms: ["code line", "code cell"],
  usage: ["%timeit [-n loops] [-r repeats] statement", "%%timeit [-n loops] [-r repeats]"],
  about:
    "Runs a statement or a cell many times, and prints the time per run: mean, std and best of 7 rounds.",
  more:
    "Without `-n`, a round has as many runs as fill a tenth of a second. Each run waits for its `await`s. Names that " +
    "the code declares are local: no later cell sees them.",
  example: "%timeit structuredClone({ a: 1 })",
  words: ["-n", "-r"],
  check: ({ rest }) => void options(rest),
  async run({ rest, code }, host) {
    const { loops, rounds } = options(rest);
    const run = code!;
    const first = await round(run, 1, host);
    const n = loops ?? (await enough(run, first, host));
    const times: number[] = [];
    for (let i = 0; i < rounds; i++) times.push((await round(run, n, host)) / n);
    const mean = times.reduce((sum, one) => sum + one, 0) / rounds;
    const deviation = Math.sqrt(times.reduce((sum, one) => sum + (one - mean) ** 2, 0) / rounds);
    const best = duration(Math.min(...times));
    const counts = `${rounds} round${rounds === 1 ? "" : "s"} of ${n.toLocaleString("en")}`;
    host.print(`${duration(mean)} ± ${duration(deviation)} a run, best ${best} (${counts})\n`);
  },
};

function options(rest: string): { loops: number | undefined; rounds: number } {
  const given: Record<string, number> = {};
  const unread = rest.replace(/-([nr])\s*(\d+)(?=\s|$)/g, (_, key: string, value: string) => {
    given[key] = Number(value);
    return "";
  });
  const wrong = unread.trim() !== "" || given.n === 0 || given.r === 0;
  if (wrong) {
    throw new RangeError(
      `Cannot time the code: only -n and -r with a number above 0 may follow the name, got ${JSON.stringify(rest)}.`,
    );
  }
  return { loops: given.n, rounds: given.r ?? repeats };
}

/** Number of runs that fill a round: 1, 2, 5, 10, 20 .. */
async function enough(run: () => unknown, first: number, host: MagicHost): Promise<number> {
  if (first >= shortestRoundMs) return 1;
  for (let power = 1; ; power *= 10) {
    for (const n of [power, 2 * power, 5 * power]) {
      if ((await round(run, n, host)) >= shortestRoundMs) return n;
    }
  }
}

/** The milliseconds that `loops` runs take. */
async function round(run: () => unknown, loops: number, host: MagicHost): Promise<number> {
  const start = performance.now();
  for (let left = loops; left > 0;) {
    const chunk = Math.min(left, loopsAtOnce);
    for (let i = 0; i < chunk; i++) {
      const result = run();
      if (result instanceof Promise) await result;
    }
    left -= chunk;
    host.tick();
  }
  return performance.now() - start;
}
