import assert from "node:assert/strict";
import Ajv from "ajv";
import fc from "fast-check";
import {
  choice,
  count,
  data,
  flag,
  flagOr,
  fraction,
  group,
  instance,
  knobsOf,
  number,
  oneOf,
  optional,
  optionRows,
  orNull,
  required,
  resolve,
  text,
  whole,
  wordOr,
  type Given,
  type Static,
} from "turnwise/internal/schema/index";

const help = "What it is for.";
const clip = {
  clipLow: number(0.2, { above: 0, below: 1, help }),
  clipHigh: number(0.3, { above: 0, help, unit: "ratio", slider: { min: 1e-4, max: 1, log: true } }),
};
const schema = group({
  gate: choice("kind", { none: {}, clip, dual: { ...clip, dual: number(3, { above: 1, help }) } }, { help }),
  penalty: orNull(
    group({ coef: number(0.1, { atLeast: 0, help }), estimator: oneOf(["k1", "k3"], { help }) }),
  ),
  gamma: fraction(0.9, { help }),
  limit: orNull(number(1, { above: 0, help })),
  length: wordOr("maximum", number(1, { above: 0, help }), { help }),
  steps: count(2, { help }),
  seed: whole(0, { atLeast: 0, atMost: 9, help }),
  shuffled: flag(true, { help }),
  label: text("plain", { help }),
});

const attempt = { action: "bake a cake", owner: "a cake" };
const of = (given: unknown, base?: unknown) => resolve(schema, given, attempt, base);
const refused = (given: unknown, name: string, message: string): void => {
  assert.throws(() => of(given), { name, message: `Cannot bake a cake: ${message}` });
};

const defaults = {
  gate: { kind: "none" },
  penalty: null,
  gamma: 0.9,
  limit: null,
  length: "maximum",
  steps: 2,
  seed: 0,
  shuffled: true,
  label: "plain",
};

describe("resolve", () => {
  it("gives every field its default, frozen to the last one", () => {
    const found = of({});
    assert.deepEqual(found, defaults);
    assert.ok(Object.isFrozen(found) && Object.isFrozen(found.gate));
  });

  it("starts another value of a choice from its own defaults and keeps the knobs that both have", () => {
    const base = of({ gate: { kind: "clip", clipLow: 0.4 } });
    assert.deepEqual(of({ gate: "dual" }, base).gate, { kind: "dual", clipLow: 0.4, clipHigh: 0.3, dual: 3 });
    assert.deepEqual(of({ gate: "none" }, base).gate, { kind: "none" });
    assert.deepEqual(of({ gate: { clipHigh: 1 } }, base).gate, { kind: "clip", clipLow: 0.4, clipHigh: 1 });
  });

  it("switches a group on with any part of it, off with null, and leaves it alone when it is not named", () => {
    const on = of({ penalty: { coef: 1 } });
    assert.deepEqual(on.penalty, { coef: 1, estimator: "k1" });
    assert.deepEqual(of({ gamma: 1 }, on).penalty, on.penalty);
    assert.deepEqual(of({ penalty: { estimator: "k3" } }, on).penalty, { coef: 1, estimator: "k3" });
    assert.equal(of({ penalty: null }, on).penalty, null);
  });

  it("takes what is undefined as not given", () => {
    assert.deepEqual(of({ gamma: undefined, color: undefined }), defaults);
  });

  it("is its own fixed point, and comes back from JSON unchanged", () => {
    const given = fc.record(
      {
        gate: fc.oneof(fc.constantFrom("none", "clip", "dual"), fc.record({ kind: fc.constant("clip") })),
        penalty: fc.option(fc.record({ coef: fc.double({ min: 0, max: 9, noNaN: true }) })),
        gamma: fc.double({ min: 0, max: 1, noNaN: true }),
        length: fc.oneof(fc.constant("maximum"), fc.integer({ min: 1, max: 99 })),
        seed: fc.integer({ min: 0, max: 9 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(given, (part) => {
        const once = JSON.parse(JSON.stringify(of(part))) as unknown;
        assert.deepEqual(JSON.parse(JSON.stringify(of(once))), once);
      }),
    );
  });

  it("accepts what JSON Schema says, and no more", () => {
    const leaf = fc.oneof(
      fc.double(),
      fc.integer({ min: -2, max: 12 }),
      fc.constantFrom<unknown>("none", "clip", "maximum", "k1", null, true, "plain", {}, []),
    );
    const counts = { taken: 0, refused: 0 };
    for (const [name, field] of Object.entries(schema.properties)) {
      // A bare name and a part of an object are ours.
      if (name === "gate" || name === "penalty") continue;
      const judge = new Ajv({ strictNumbers: true }).compile(field);
      fc.assert(
        fc.property(leaf, (value) => {
          const wanted = judge(value);
          let taken = true;
          try {
            of({ [name]: value });
          } catch {
            taken = false;
          }
          assert.equal(taken, wanted, `${name}: ${String(value)}`);
          counts[taken ? "taken" : "refused"] += 1;
        }),
      );
    }
    assert.ok(counts.taken > 50 && counts.refused > 50);
  });

  it("refuses an unknown name with the ones there are, and the nearest", () => {
    refused({ gama: 1 }, "RangeError", `unknown option "gama".\nDid you mean "gamma"?`);
    refused({ penalty: { coeff: 1 } }, "RangeError", 'unknown option "penalty.coeff".\nDid you mean "coef"?');
    refused(
      { gate: "clop" },
      "RangeError",
      'gate.kind must be "none" or "clip" or "dual", got "clop".\nDid you mean "clip"?',
    );
    refused(
      { penalty: { estimator: "k2" } },
      "RangeError",
      'penalty.estimator must be "k1" or "k3", got "k2".\nDid you mean "k1"?',
    );
  });

  it("says where a knob stands that was looked for in the wrong place", () => {
    refused({ clipLow: 0.1 }, "RangeError", `unknown option "clipLow".\nDid you mean "gate.clipLow"?`);
    refused(
      { gate: { kind: "clip", dual: 4 } },
      "RangeError",
      'unknown option "gate.dual".\nOnly kind "dual" has it.',
    );
    refused(
      { gate: { clipLow: 0.1 } },
      "RangeError",
      'unknown option "gate.clipLow".\nOnly kind "clip" or "dual" has it.',
    );
  });

  it("refuses values out of range with a RangeError, in words made from the range", () => {
    const range = (given: unknown, message: string): void => refused(given, "RangeError", message);
    range({ gate: { kind: "clip", clipLow: 1 } }, "gate.clipLow must be above 0 and below 1, got 1.");
    range({ penalty: { coef: -1 } }, "penalty.coef must be at least 0, got -1.");
    range({ gamma: 1.1 }, "gamma must be from 0 to 1, got 1.1.");
    range({ gamma: NaN }, "gamma must be from 0 to 1, got NaN.");
    range({ limit: 0 }, "limit must be above 0, or null, got 0.");
    range({ length: 0 }, 'length must be "maximum" or a number above 0, got 0.');
    range({ length: "minimum" }, 'length must be "maximum" or a number above 0, got "minimum".');
    range({ steps: 0.5 }, "steps must be an integer of at least 1, got 0.5.");
    range({ seed: 10 }, "seed must be an integer from 0 to 9, got 10.");
  });

  it("refuses values of another type with a TypeError, as they come from JSON and JavaScript", () => {
    const type = (given: unknown, message: string): void => refused(given, "TypeError", message);
    type({ gamma: "1" }, 'gamma must be a number from 0 to 1, got "1".');
    type({ steps: true }, "steps must be an integer of at least 1, got true.");
    type({ shuffled: 1 }, "shuffled must be true or false, got 1.");
    type({ label: 1 }, "label must be text, got 1.");
    type({ gate: 3 }, "gate must be an object, got 3.");
    type({ penalty: [] }, "penalty must be an object, got [].");
    type([], "a cake must be an object, got [].");
    type(
      JSON.parse('{"gate":{"kind":"clip","clipLow":null}}'),
      "gate.clipLow must be a number above 0 and below 1, got null.",
    );
  });

  it("is not fooled by names that every object has", () => {
    assert.throws(() => of(JSON.parse('{"__proto__":{"gamma":1}}')), { name: "RangeError" });
    assert.throws(() => of({ gate: "constructor" }), { name: "RangeError" });
    assert.throws(() => of({ toString: 1 }), { name: "RangeError" });
  });
});

describe("fields without a default", () => {
  const options = group({
    env: required(text("", { help })),
    signal: optional(
      instance<AbortSignal>("an AbortSignal", (value) => value instanceof AbortSignal, { help }),
    ),
    rate: optional(number(1, { above: 0, help })),
  });
  const given = (o: unknown): Static<typeof options> =>
    resolve(options, o, { action: "train", owner: "options" });

  it("leave an optional one out, keep an instance as it is, and ask for a required one", () => {
    const { signal } = new AbortController();
    assert.deepEqual(Object.keys(given({ env: "Tiger-v0" })), ["env"]);
    const found = given({ env: "Tiger-v0", signal });
    assert.equal(found.signal, signal);
    assert.ok(!Object.isFrozen(signal));
    assert.throws(() => given({}), {
      name: "TypeError",
      message: "Cannot train: env must be text, got undefined.",
    });
    assert.deepEqual(given({ env: "Tiger-v0", rate: 2 }), { env: "Tiger-v0", rate: 2 });
    assert.throws(() => given({ env: "Tiger-v0", signal: 3 }), {
      name: "TypeError",
      message: "Cannot train: signal must be an AbortSignal, got 3.",
    });
  });

  it("are told apart by their types", () => {
    const complete: Given<typeof options> = { env: "Tiger-v0" };
    // @ts-expect-error env must be given
    const empty: Given<typeof options> = {};
    assert.deepEqual([complete, empty], [{ env: "Tiger-v0" }, {}]);
  });
});

describe("fields that only a function can check, and flags that may count", () => {
  const options = group({
    every: flagOr(whole(3, { atLeast: 0, help: "" }), { help }),
    tasks: data<readonly string[]>([], "a list of tasks", Array.isArray, { help }),
  });
  const given = (o: unknown): Static<typeof options> =>
    resolve(options, o, {
      action: "train",
      owner: "options",
      elsewhere: (name) => (name === "rate" ? "; it belongs to the recipe" : ""),
    });

  it("have their defaults, and refuse what is neither", () => {
    assert.deepEqual(given({}), { every: 3, tasks: [] });
    assert.deepEqual(given({ every: true, tasks: ["a"] }), { every: true, tasks: ["a"] });
    assert.throws(() => given({ every: -1 }), {
      name: "RangeError",
      message: "Cannot train: every must be an integer of at least 0 or true or false, got -1.",
    });
    assert.throws(() => given({ tasks: "a" }), {
      name: "TypeError",
      message: 'Cannot train: tasks must be a list of tasks, got "a".',
    });
  });

  it("say where an unknown name belongs, before the nearest one is looked for", () => {
    assert.throws(() => given({ rate: 1 }), {
      message: `Cannot train: unknown option "rate".; it belongs to the recipe`,
    });
  });

  it("are rows of a table", () => {
    assert.deepEqual(optionRows(options), [
      {
        option: "every",
        mustBe: "an integer of at least 0 or true or false",
        default: "3",
        unit: "",
        help,
      },
      { option: "tasks", mustBe: "a list of tasks", default: "[]", unit: "", help },
    ]);
  });
});

describe("knobsOf", () => {
  const knobs = knobsOf(schema);
  const at = (path: string) => knobs.filter((knob) => knob.path === path);

  it("lists every knob in order, once for every choice that has it", () => {
    assert.deepEqual(
      knobs.map(({ path }) => path),
      [
        "gate",
        ...["gate.clipLow", "gate.clipHigh"],
        ...["gate.clipLow", "gate.clipHigh", "gate.dual"],
        ...["penalty", "penalty.coef", "penalty.estimator"],
        ...["gamma", "limit", "length", "steps", "seed", "shuffled", "label"],
      ],
    );
  });

  it("tells range, default, unit, slider and help of a number, and the choice that it needs", () => {
    assert.deepEqual(at("gate.clipHigh")[0], {
      path: "gate.clipHigh",
      type: "number",
      wanted: "above 0",
      default: 0.3,
      nullable: false,
      minimum: 0,
      unit: "ratio",
      slider: { min: 1e-4, max: 1, log: true },
      help,
      when: { gate: "clip" },
    });
    assert.deepEqual(at("penalty.coef")[0]!.when, { penalty: "on" });
  });

  it("tells a menu's entries and what may be null", () => {
    assert.deepEqual(at("gate")[0]!.values, ["none", "clip", "dual"]);
    assert.deepEqual(at("penalty.estimator")[0]!.values, ["k1", "k3"]);
    assert.deepEqual(
      knobs.filter(({ nullable }) => nullable).map(({ path }) => path),
      ["penalty", "limit"],
    );
    assert.deepEqual(at("limit")[0]!.type, "number");
  });
});
