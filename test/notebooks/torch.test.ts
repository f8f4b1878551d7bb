// Uses internals of turnwise-course, turnwise-kernel/runner.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pieces } from "turnwise-course/internal/exercise/pieces";
import { readNotebook } from "turnwise-kernel/dist/runner/notebook.js";
import { root } from "../support/paths.js";
import { folder, isAppendix, isLesson, notebooks } from "./committedNotebooks.js";

type Anything = (...args: never[]) => unknown;
interface Line {
  readonly lesson: string;
  readonly name: string;
  readonly source: string;
  readonly calls: readonly never[][];
  readonly results: readonly unknown[];
}

const { lines } = JSON.parse(readFileSync(path.join(root, "test", "oracle", "lessons.json"), "utf8")) as {
  lines: readonly Line[];
};
/** The lessons, then their appendices. */
const withLines = [...notebooks.filter(isLesson), ...notebooks.filter(isAppendix)];
const nameOf = (file: string): string =>
  path
    .relative(folder, file)
    .split(path.sep)
    .join("/")
    .replace(/\.ipynb$/, "");
const fold = /<details><summary>The same in PyTorch<\/summary>\n\n```python\n([^]*?)\n```/g;
const ways = /<details><summary>One way to write it<\/summary>\n\n```ts\n([^]*?)\n```/g;

/** The code of a cell of lesson 01, up to the function that it defines; `given` are names of other cells. */
function fromCell<F>(id: string, name: string, given: Readonly<Record<string, unknown>>): F {
  const { cells } = readNotebook(path.join(folder, "01-grpo-from-scratch.ipynb"));
  const code = cells.find((cell) => cell.id === id)!.source.replace(/^import .*$/m, "");

  return new Function(...Object.keys(given), `${code}\nreturn ${name};`)(...Object.values(given)) as F;
}

/** The lesson's own line for each function of PyTorch, with the same arguments. */
const ours: Readonly<Record<string, Anything>> = {
  center: pieces.center.ours,
  standardize: pieces.standardize.ours,
  surprise: pieces.surprise.ours,
  turn_ratio: pieces.turnRatio.ours,
  ppo: pieces.ppo.ours,
  gains: pieces.gains.ours,
  voted: pieces.voted.ours,
  masked_mean: pieces.maskedMean.ours,
  clipped: (now: number, before: number, advantage: number) =>
    pieces.clipped.ours(Math.exp(now - before), advantage),
  k3: (now: number, start: number) => pieces.k3.ours(Math.exp(start - now)),
  kl: (now: number[], start: number[]) => pieces.kl.ours(now.map(Math.exp), start.map(Math.exp)),
  implicit_reward: (beta: number, second: number, old: number) =>
    pieces.implicitReward.ours(beta, Math.exp(second), Math.exp(old)),
  in_groups: (rewards: number[], groupSize: number) =>
    fromCell<(rule: unknown) => (rewards: Float64Array) => Float64Array>("groups", "inGroups", {
      groupSize,
    })(pieces.standardize.ours)(new Float64Array(rewards)),
  gae: (rewards: number[], values: number[], lambda: number) =>
    fromCell<Anything>("gae-loop", "gae", { surprise: pieces.surprise.ours })(
      ...([rewards, values, lambda] as never[]),
    ),
  push(logProb: number[][], mask: number[][], pay: number[][]) {
    // The policy's parameters are the log-probs themselves, moved from 0 by a step of 4, as PyTorch's optimizer moves them.
    const tokens = mask.flatMap((row, episode) => row.map((one) => ({ mask: one, episode })));
    const policy = {
      parameters: tokens.map(() => 0),
      backward: (_: unknown, { dLogProb_ntl }: { dLogProb_ntl: Float64Array }) => dLogProb_ntl,
    };
    const push = fromCell<Anything>("push", "push", { tokensOf: () => tokens });
    const payOf = ({ episode }: { episode: number }): number => pay[episode]![0]!;
    push(...([policy, { shape: [logProb.length] }, payOf] as never[]));
    const width = logProb[0]!.length;
    return logProb.map((row, n) => row.map((_, l) => policy.parameters[n * width + l]!));
  },
};

function assertClose(got: unknown, due: unknown, place: string): void {
  if (typeof due === "number") {
    assert.ok(
      typeof got === "number" && Math.abs(got - due) <= 1e-8 * Math.max(1, Math.abs(due)),
      `${place}: ${String(got)} for ${String(due)}`,
    );
    return;
  }
  const [ones, dues] = [Array.from(got as ArrayLike<unknown>), due as unknown[]];
  assert.equal(ones.length, dues.length, place);
  dues.forEach((one, i) => assertClose(ones[i], one, `${place}[${String(i)}]`));
}

describe("PyTorch below the lines of the lessons", () => {
  const folded = withLines.flatMap(({ file }) =>
    readNotebook(file).cells.flatMap(({ source }) =>
      [...source.matchAll(fold)].map(([, code]) => ({
        lesson: nameOf(file),
        source: code!,
      })),
    ),
  );

  it("is what test/oracle/lessons.py has run", () => {
    assert.deepEqual(
      lines.map(({ lesson, source }) => ({ lesson, source })),
      folded,
      "run test/oracle/lessons.py again",
    );
    assert.ok(folded.length >= 15);
  });

  for (const { lesson, name, calls, results } of lines)
    it(`${lesson}: ${name} gives what the lesson's own line gives`, () => {
      calls.forEach((args, i) => assertClose(ours[name]!(...args), results[i], `${name}, call ${String(i)}`));
    });
});

describe("the lines to write in the lessons", () => {
  /** The calls of `yours` in a lesson, and the code below that shows one way to write it. */
  const written = withLines.flatMap(({ file }) => {
    const { cells } = readNotebook(file);
    return cells.flatMap(({ source, cell_type }, i) =>
      [...(cell_type === "code" ? source : "").matchAll(/yours\("(\w+)"/g)].map(([, name]) => ({
        lesson: nameOf(file),
        name: name!,
        ways: [...cells[i + 1]!.source.matchAll(ways)].map(([, code]) => code!),
      })),
    );
  });

  it("are all lines that can be checked, and no other", () => {
    assert.deepEqual([...new Set(written.map(({ name }) => name))].sort(), Object.keys(pieces).sort());
  });

  for (const { lesson, name, ways: code } of written)
    it(`${lesson}: one way to write ${name} is folded below, and is right`, () => {
      assert.equal(code.length, 1);
      const mean = (x: number[]): number => x.reduce((sum, one) => sum + one, 0) / x.length;
      const std = (x: number[]): number =>
        Math.sqrt(x.reduce((sum, one) => sum + (one - mean(x)) ** 2, 0) / (x.length - 1));
      const given = { mean, std, center: pieces.center.ours };
      // A line that defines one of these names itself must not be given it.
      const names = Object.keys(given).filter((one) => one !== name) as (keyof typeof given)[];

      const line = new Function(...names, `${code[0]!}\nreturn ${name};`)(
        ...names.map((one) => given[one]),
      ) as Anything;
      const piece = pieces[name as keyof typeof pieces];
      for (const args of piece.tries as unknown as readonly never[][])
        assertClose(line(...args), unlisted((piece.ours as Anything)(...args)), name);
    });
});

const unlisted = (x: unknown): unknown => (typeof x === "number" ? x : Array.from(x as ArrayLike<unknown>));
