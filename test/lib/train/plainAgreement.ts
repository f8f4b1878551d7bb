import assert from "node:assert/strict";
import fc from "fast-check";
import {
  createPolicy,
  make,
  train,
  type Env,
  type Metrics,
  type Policy,
  type PolicyOptions,
  type Recipe,
  type TrainRecord,
} from "turnwise";
import { arbitraryRow, everyValue, type Allowed } from "./arbitraryRow";
import { plainGates } from "./plainRule";
import { plainTrain, type PlainRecord } from "./plainTrainer";

interface Setting {
  readonly env?: string | Env;
  readonly updates?: number;
  readonly groups?: number;
  readonly groupSize?: number;
  readonly seed?: number;
  readonly temperature?: number;
  /** Default: a table. */
  readonly policy?: PolicyOptions;
}

/** Runs both trainers from the same start and compares every record, and the parameters in the end. */
export async function agree(row: Recipe, setting: Setting = {}): Promise<void> {
  const { env: world = "LookUp-v0", policy: kind, ...rest } = setting;
  const env = typeof world === "string" ? make(world) : world;
  const o = { updates: 2, groups: 4, groupSize: 3, seed: 1, ...rest };
  const policy = (): Policy =>
    createPolicy(env.spec, kind ?? { initialScale: 0.5, valueHead: "valueCoef" in row.advantage });
  const [own, other] = [policy(), policy()];
  const run = train({ ...o, env, policy: own, recipe: row });
  for (const expected of plainTrain({ ...o, env, policy: other, row })) {
    // Where a row makes training diverge, differences of rounding grow with it: there is nothing to compare any more.
    const { "policy/gradNorm": gradNorm = 0 } = expected.metrics;
    if (!(gradNorm < 1e3)) return;
    // Where returns are equal but for rounding, a row divides rounding by its own deviation: the rest of the run is noise.
    const largest = Math.max(...Object.values(expected.advantages).map(Math.abs));
    if (expected.advantages.length > 0 && largest > 0 && largest < 1e-4 && row.scale.kind !== "none") return;
    const record: TrainRecord = (await run.next()).value!;
    const counts = ({ update, samples, optimizerSteps }: TrainRecord | PlainRecord): number[] => [
      update,
      samples,
      optimizerSteps,
    ];
    assert.deepEqual(counts(record), counts(expected));
    assertMetrics(row, record.metrics, expected, `update ${record.update}`);
  }
  assert.equal(own.parameters.length, other.parameters.length);
  own.parameters.forEach((x, j) => assertClose(x, other.parameters[j]!, `parameter ${j}`));
  assert.equal((await run.next()).done, true);
}

/** Equal but for the order in which sums are taken. */
function isClose(a: number, b: number): boolean {
  return Object.is(a, b) || Math.abs(a - b) <= 1e-8 * Math.max(1e-2, Math.abs(b));
}

function assertClose(a: number, b: number, what: string): void {
  assert.ok(isClose(a, b), `${what} is ${a}, and ${b} in the plain trainer`);
}

/** The same names and the same numbers. */
function assertMetrics(
  row: Recipe,
  actual: Metrics,
  { metrics, advantages }: PlainRecord,
  what: string,
): void {
  assert.deepEqual(Object.keys(actual).sort(), Object.keys(metrics).sort(), what);
  // Rounding decides which bound clips an advantage that is 0 but for rounding, and nothing else depends on it.
  // What is 0 here may be rounding there: after a division by the batch's std, and where one leaves a trajectory out by a factor.
  const mayRound = row.scale.kind === "batch" || row.advantage.kind === "branches";
  const isNoise = (a: number): boolean => Math.abs(a) < 1e-12 && (a !== 0 || mayRound);
  const undecided = advantages.some(isNoise);
  for (const name of Object.keys(metrics) as (keyof Metrics)[]) {
    const [a, b] = [actual[name]!, metrics[name]!];
    if (undecided && name.startsWith("policy/clipFrac") && !isClose(a, b)) continue;
    assertClose(a, b, `${what}: ${name}`);
  }
}

/** A step reward may ask the policy or a second table: test/lib/train/stepReward has them. */
export const isPlain = ({ gate, reward }: Recipe): boolean =>
  allowed("gate", gate.kind) && allowed("reward.step", reward.step.kind);

const allowed: Allowed = (path, value) => {
  if (path === "gate") return plainGates.includes(value);
  return path !== "reward.step" || value === "none";
};

/** One and several tokens a turn, turns of equal and of different length, episodes that end early and at the limit. */
const worlds = ["LookUp-v0", "ToolChain-v0", "KeyDoor-v0", "Calculator-v0"];

/** Has a test for every value of every choice, each with so many rows that have it. */
export function describeEveryValue(numRuns: number, seed: number): void {
  for (const fixed of everyValue().filter(({ path, value }) => allowed(path, value))) {
    it(`agrees on ${fixed.path} ${fixed.value}, whatever the other cells of the row`, async () => {
      const rows = fc.sample(arbitraryRow(fixed, allowed), { numRuns, seed });
      for (const [k, row] of rows.entries()) {
        // Another temperature than the trainer's gives a correction something to correct.
        const temperature = row.correction.kind === "none" ? 1 : 0.8;
        await agree(row, { env: worlds[(k + seed) % 4]!, seed: k + seed, temperature });
      }
    });
  }
}

/** Tries so many random rows in random settings. */
export async function agreeOnRandom(numRuns: number): Promise<void> {
  const seed = fc.nat(1000);
  const world = fc.record({ env: fc.constantFrom(...worlds), seed, temperature: fc.constantFrom(1, 0.7) });
  await fc.assert(
    fc.asyncProperty(arbitraryRow(undefined, allowed), world, (row, setting) => agree(row, setting)),
    // A shrunk row would have its bounds on the last bit that still fails, which tells nothing.
    { numRuns, endOnFailure: true },
  );
}
