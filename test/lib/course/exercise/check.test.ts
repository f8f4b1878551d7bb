import assert from "node:assert/strict";
import { checkExercise, type Desk, type TrapRecord, type Writer } from "turnwise-course";
import { recipe } from "turnwise";
import { NotYet, type Booking } from "turnwise-course/internal/exercise/index";

type Grid = readonly (readonly number[])[];
type Numbers = readonly number[];

const sum = (x: Numbers): number => x.reduce((s, v) => s + v, 0);
const mean = (x: Numbers): number => sum(x) / x.length;
const std = (x: Numbers): number => Math.sqrt(sum(x.map((v) => (v - mean(x)) ** 2)) / (x.length - 1));

/** The sentence with which a wrong answer is refused, without the exercise's name. */
function sentence(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof NotYet, String(error));
    const text = error.message.replace(/^\w+: /, "");
    assert.doesNotMatch(text, /\n/);
    return text;
  }
  return "passed";
}

/** Wrong answers, the words that must name their mistake, and at least one right one. */
function suite<Answer>(
  check: (answer: Answer) => unknown,
  cases: readonly (readonly [RegExp | "passed", Answer])[],
) {
  cases.forEach(([words, answer], i) => {
    it(`${String(i + 1)}: ${words === "passed" ? "passes a right answer" : `says ${words.source}`}`, () => {
      const said = sentence(() => check(answer));
      if (words === "passed") assert.equal(said, "passed");
      else assert.match(said, words);
    });
  });
}

/** For each trajectory, the rewards of its group and those of the others in it. */
const grouped =
  (f: (own: number, group: Numbers, others: Numbers) => number) =>
  (reward_n: Numbers, groupId_n: Numbers): number[] =>
    reward_n.map((own, n) => {
      const of = reward_n.map((_, j) => j).filter((j) => groupId_n[j] === groupId_n[n]);
      return f(
        own,
        of.map((j) => reward_n[j]!),
        of.filter((j) => j !== n).map((j) => reward_n[j]!),
      );
    });

describe("check of the exercises", () => {
  describe("groupAdvantage", () => {
    suite(
      (answer: (r: Numbers, g: Numbers) => ArrayLike<number>) => checkExercise("groupAdvantage", answer),
      [
        ["passed", grouped((own, group) => own - mean(group))],
        ["passed", (r, g) => Float32Array.from(grouped((own, group) => own - mean(group))(r, g))],
        [
          /divides by the group's std/,
          grouped((own, group) => (own - mean(group)) / (group.length > 1 ? std(group) + 1e-6 : 1)),
        ],
        [/divides by the group's std/, grouped((own, group) => (own - mean(group)) / std(group))],
        [/whole batch's mean/, (r) => r.map((own) => own - mean(r))],
        [/whitens over the whole batch/, (r) => r.map((own) => (own - mean(r)) / std(r))],
        [/leaves the trajectory itself out/, grouped((own, _g, o) => (o.length ? own - mean(o) : 0))],
        [/sign is turned round/, grouped((own, group) => mean(group) - own)],
        [/returns the baseline/, grouped((_, group) => mean(group))],
        [
          /takes neighbors for a group/,
          (r, g) => {
            const start = (n: number): number => (n > 0 && g[n] === g[n - 1] ? start(n - 1) : n);
            const end = (n: number): number => (g[n + 1] === g[n] ? end(n + 1) : n + 1);
            return r.map((own, n) => own - mean(r.slice(start(n), end(n))));
          },
        ],
        [
          /right when all groups have the same size/,
          (r, g) => {
            const count = new Set(g).size;
            return grouped((own, group) => own - sum(group) / (r.length / count))(r, g);
          },
        ],
        [/one number for each trajectory; it returned 0 for 12/, () => []],
        [/must return a list of numbers/, () => undefined as never],
        [/changes the rewards/, (r) => (r as number[]).map((_, n) => ((r as number[])[n]! -= 1))],
        [
          /throws with a group of one: alone/,
          grouped((own, group) => {
            if (group.length === 1) throw new Error("alone");
            return own - mean(group);
          }),
        ],
      ],
    );
  });

  describe("leaveOneOut", () => {
    const others = (f: (own: number, others: Numbers, group: Numbers) => number) =>
      grouped((own, group, o) => (o.length === 0 ? 0 : f(own, o, group)));
    suite(
      (answer: (r: Numbers, g: Numbers) => ArrayLike<number>) => checkExercise("leaveOneOut", answer),
      [
        ["passed", others((own, o) => own - mean(o))],
        ["passed", others((own, o, group) => (group.length / o.length) * (own - mean(group)))],
        [/includes itself in the baseline/, grouped((own, group) => own - mean(group))],
        [/size of the whole group/, others((own, o, group) => own - sum(o) / group.length)],
        [
          /shrinks the difference/,
          others((own, o, group) => (o.length / group.length) * (own - mean(group))),
        ],
        [/others of the whole batch/, (r) => r.map((own, n) => own - mean(r.filter((_, j) => j !== n)))],
        [/group's std as well/, others((own, o, group) => (own - mean(o)) / std(group))],
        [/divides by zero for a group of one/, grouped((own, _, o) => own - mean(o))],
        [/gives a group of one its whole reward/, grouped((own, _, o) => own - (o.length ? mean(o) : 0))],
      ],
    );
  });

  describe("turnRatio", () => {
    const active = (f: (d: Numbers) => number) => (lp: Grid, old: Grid, mask: Grid) =>
      mask.map((row, t) => f(row.flatMap((m, l) => (m === 1 ? [lp[t]![l]! - old[t]![l]!] : []))));
    const or1 = (f: (d: Numbers) => number) => active((d) => (d.length === 0 ? 1 : f(d)));
    suite(
      (answer: (lp: Grid, old: Grid, mask: Grid) => number[]) => checkExercise("turnRatio", answer),
      [
        ["passed", or1((d) => Math.exp(mean(d)))],
        [/sums instead of averaging over the turn's tokens/, active((d) => Math.exp(sum(d)))],
        [/averages the ratios of the tokens/, or1((d) => mean(d.map(Math.exp)))],
        [/old over new/, or1((d) => Math.exp(-mean(d)))],
        [/take the exponential/, active((d) => (d.length ? mean(d) : 0))],
        [
          /averages over the width of the row/,
          (lp, old, mask) => active((d) => Math.exp(sum(d) / mask[0]!.length))(lp, old, mask),
        ],
        [
          /ratio of the whole trajectory/,
          (lp, old, mask) => {
            const all: number[] = [];
            active((d) => all.push(...d))(lp, old, mask);
            return mask.map(() => Math.exp(mean(all)));
          },
        ],
        [
          /lets masked cells count/,
          (lp, old) => lp.map((row, t) => Math.exp(mean(row.map((x, l) => x - old[t]![l]!)))),
        ],
        [
          /0 \* NaN is NaN/,
          (lp, old, mask) =>
            lp.map((row, t) => {
              const d = sum(row.map((x, l) => mask[t]![l]! * (x - old[t]![l]!)));
              return Math.exp(d / Math.max(1, sum(mask[t]!)));
            }),
        ],
        [/divides by zero for a turn without/, active((d) => Math.exp(mean(d)))],
        [/wrong for a turn without sampled tokens/, active((d) => (d.length ? Math.exp(mean(d)) : 0))],
      ],
    );
  });

  describe("carry", () => {
    type Carry = (a: Numbers, r: Grid, counts: Numbers) => number[][];
    const rows =
      (f: (ratios: Numbers, t: number, a: number) => number): Carry =>
      (a, r, counts) =>
        a.map((A, n) => {
          const ratios = r[n]!.slice(0, counts[n]);
          return ratios.map((_, t) => f(ratios, t, A));
        });
    const product = (x: Numbers): number => x.reduce((p, v) => p * v, 1);
    const clip = (x: number): number => Math.min(1.2, Math.max(0.8, x));
    suite(
      (answer: Carry) => checkExercise("carry", answer),
      [
        ["passed", rows((r, t, A) => A * product(r.slice(t + 1)))],
        [/includes the current turn/, rows((r, t, A) => A * product(r.slice(t)))],
        [/runs forward/, rows((r, t, A) => A * product(r.slice(0, t)))],
        [/carry is missing/, rows((_r, _t, A) => A)],
        [/only the next turn's ratio/, rows((r, t, A) => A * (r[t + 1] ?? 1))],
        [/each ratio is clipped/, rows((r, t, A) => A * product(r.slice(t + 1).map(clip)))],
        [
          /clipped, as in the released code/,
          rows((r, t, A) => A * r.slice(t + 1).reduceRight((p, x) => clip(clip(x) * p), 1)),
        ],
        [/advantage is missing/, rows((r, t) => product(r.slice(t + 1)))],
        [/each row is turned round/, rows((r, t, A) => A * product(r.slice(r.length - t)))],
        [
          /turns that a shorter trajectory does not have/,
          (a, r, counts) =>
            a.map((A, n) => r[n]!.slice(0, counts[n]).map((_, t) => A * product(r[n]!.slice(t + 1)))),
        ],
        [
          /one number for each turn/,
          (a, r) => a.map((A, n) => r[n]!.map((_, t) => A * product(r[n]!.slice(t + 1)))),
        ],
        [/one list of numbers for each trajectory/, () => []],
      ],
    );
  });

  describe("maskedLoss", () => {
    type Loss = (loss: Grid, writer: readonly (readonly Writer[])[]) => number;
    const of =
      (writers: readonly Writer[], f: (x: Numbers) => number = mean): Loss =>
      (loss, writer) => {
        const kept = loss.flatMap((row, t) => row.filter((_, l) => writers.includes(writer[t]![l]!)));
        return kept.length === 0 ? 0 : f(kept);
      };
    suite(
      (answer: Loss) => checkExercise("maskedLoss", answer),
      [
        ["passed", of(["policy"])],
        [/tool's tokens too/, of(["policy", "tool"])],
        [/prompt's tokens too/, of(["policy", "prompt"])],
        [/masks the padding alone/, of(["policy", "tool", "prompt"])],
        [/every cell, padding included/, (loss) => mean(loss.flat())],
        [/number of all cells/, (loss, w) => of(["policy"], sum)(loss, w) / loss.flat().length],
        [/returns the sum/, of(["policy"], sum)],
        [
          /averages within each turn first/,
          (loss, w) => {
            const turns = loss.map((row, t) => row.filter((_, l) => w[t]![l] === "policy"));
            const used = turns.filter((row) => row.length > 0).map(mean);
            return used.length === 0 ? 0 : mean(used);
          },
        ],
        [
          /0 \* NaN is NaN/,
          (loss, w) => {
            const mask = w.map((row) => row.map((x) => (x === "policy" ? 1 : 0)));
            return sum(loss.flatMap((row, t) => row.map((x, l) => x * mask[t]![l]!))) / sum(mask.flat());
          },
        ],
        [
          /divides by zero when the policy wrote nothing/,
          (loss, w) => mean(loss.flatMap((row, t) => row.filter((_, l) => w[t]![l] === "policy"))),
        ],
        [/must return one number/, () => undefined as never],
      ],
    );
  });

  describe("echoTrap", () => {
    type Alarm = (history: readonly TrapRecord[]) => boolean;
    const last = (h: readonly TrapRecord[]): TrapRecord => h.at(-1)!;
    const most = (h: readonly TrapRecord[]): number => Math.max(...h.map((r) => r.rewardStd));
    const five =
      (f: (r: TrapRecord) => boolean): Alarm =>
      (h) =>
        h.length > 5 && h.slice(-5).every(f);
    suite(
      (answer: Alarm) => checkExercise("echoTrap", answer),
      [
        [
          "passed",
          (h) => five((r) => r.rewardStd < 0.4 * most(h) && r.rewardMean < 0.85)(h) && most(h) > 0.2,
        ],
        [/very first update/, () => true],
        [/never rings/, () => false],
        [/takes success for collapse/, (h) => five((r) => r.rewardStd < 0.1)(h) && most(h) > 0.2],
        [/before the run has begun to learn/, five((r) => r.rewardStd < 0.1 && r.rewardMean < 0.85)],
        [/single low value/, (h) => last(h).rewardStd < 0.1 && last(h).rewardMean < 0.85 && most(h) > 0.2],
        [/rings too late in 16 of 16/, (h) => last(h).gradNorm > 3],
        [
          /rings in a healthy run/,
          (h) => h.length > 75 && h[20]!.rewardStd > 0.2 && last(h).rewardMean < 0.85,
        ],
        [
          /misses 8 of 16 trapped runs: those in which the entropy rises/,
          (h) => five((r) => r.entropy < 0.6 && r.rewardMean < 0.7)(h),
        ],
        [/must return true or false; it returned undefined/, () => undefined as never],
        [
          /throws with 1 records: empty/,
          () => {
            throw new Error("empty");
          },
        ],
      ],
    );
  });

  describe("verifier", () => {
    type Task = Omit<Booking, "id">;
    type Verifier = (before: Desk, after: Desk, task: Task, said: string) => boolean;
    const fits = (b: Booking, t: Task): boolean =>
      b.guest === t.guest && b.day === t.day && b.seats === t.seats;
    const keeps = (before: Desk, after: Desk): boolean =>
      before.bookings.every((b) => after.bookings.some((a) => a.id === b.id && fits(a, b)));
    const grown = (before: Desk, after: Desk): number => after.bookings.length - before.bookings.length;
    suite(
      (answer: Verifier) => checkExercise("verifier", answer),
      [
        ["passed", (b, a, t) => keeps(b, a) && grown(b, a) === 1 && a.bookings.some((x) => fits(x, t))],
        [/only says it is done/, () => true],
        [/only says it is done/, (_b, _a, _t, said) => said !== "nothing"],
        [/refuses an honest booking\./, () => false],
        [/because the agent said nothing/, (_b, _a, _t, said) => said.includes("Done")],
        [
          /because the agent said it in other words/,
          (_b, _a, _t, said) => said === "" || said.includes("Done"),
        ],
        [/because of its id/, (_b, a) => a.bookings.some(({ id }) => id === "b4")],
        [/because the list is in another order/, (_b, a, t) => fits(a.bookings.at(-1)!, t)],
        [/because the log has grown/, (b, a) => a.log.length === b.log.length && grown(b, a) > 0],
        [/into the log/, (b, a) => grown(b, a) > 0 || a.log.length > b.log.length],
        [/wrong number of seats/, (b, a) => grown(b, a) > 0],
        [
          /wrong day/,
          (b, a, t) =>
            grown(b, a) > 0 &&
            a.bookings.some(
              (x) =>
                x.id.length > 0 &&
                x.guest === t.guest &&
                x.seats === t.seats &&
                !b.bookings.some(({ id }) => id === x.id),
            ),
        ],
        [/moved the guest's booking/, (_b, a, t) => a.bookings.some((x) => fits(x, t))],
        [
          /deleted a stranger's booking/,
          (b, a, t) =>
            a.bookings.some((x) => fits(x, t)) &&
            b.bookings
              .filter((x) => x.guest === t.guest)
              .every((x) => a.bookings.some((y) => y.id === x.id && fits(y, x))),
        ],
        [/changed a stranger's booking/, (b, a, t) => grown(b, a) >= 1 && a.bookings.some((x) => fits(x, t))],
        [/twice over/, (b, a, t) => keeps(b, a) && a.bookings.some((x) => fits(x, t))],
        [/books every day/, (b, a, t) => keeps(b, a) && a.bookings.filter((x) => fits(x, t)).length === 1],
        [/must return true or false/, () => 1 as never],
      ],
    );
  });

  describe("oneKnob", () => {
    const refused: readonly (readonly [RegExp, ReturnType<typeof recipe>])[] = [
      [/the rule is grpo as it stands/, recipe("grpo")],
      [
        /optimizer and number of steps are no part/,
        recipe("grpo", { update: { optimizer: { kind: "sgd", learningRate: 0 } } }),
      ],
      [
        /changes 2 fields \(scale, regularizer\)/,
        recipe("grpo", { scale: "none", regularizer: { entropyCoef: 5 } }),
      ],
      [/gspo does not learn this world/, recipe("gspo", { regularizer: { entropyCoef: 5 } })],
      [/the rule still learns: exact return 0\.9/, recipe("rloo", { advantage: "mean" })],
    ];
    for (const [words, row] of refused) {
      it(`says ${words.source}`, async () => {
        await assert.rejects(checkExercise("oneKnob", row), (error) => {
          assert.ok(error instanceof NotYet);
          assert.match(error.message, words);
          return true;
        });
      });
    }

    it("passes a row that an entropy bonus drowns", async () => {
      const passed = await checkExercise("oneKnob", recipe("rloo", { regularizer: { entropyCoef: 5 } }));
      assert.match(
        String(passed),
        /^oneKnob: passed \(regularizer: exact return 0\.9\d before, 0\.0\d after\)\. Next: lesson 01, then exercise 01-group-advantage\.$/,
      );
    });

    it("refuses what is no recipe", async () => {
      await assert.rejects(checkExercise("oneKnob", {} as never), {
        name: "TypeError",
        message: "Cannot check oneKnob: the answer must be a recipe, got object.",
      });
    });
  });

  it("refuses an unknown exercise and an answer that is no function", () => {
    assert.throws(() => checkExercise("carri" as never, (() => []) as never), {
      name: "RangeError",
      message: /^Cannot check an answer: the exercise must be one of groupAdvantage, .*, got "carri"\.$/,
    });
    assert.throws(() => checkExercise("carry", 3 as never), {
      name: "TypeError",
      message: "Cannot check carry: the answer must be a function, got number.",
    });
  });
});
