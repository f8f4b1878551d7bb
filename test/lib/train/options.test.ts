import assert from "node:assert/strict";
import { make, optionsTable, recipe, sweep, train, trainSeeds, type Checkpoint } from "turnwise";
import { settingsSchema } from "turnwise/internal/train/settings";
import { trainSchema } from "turnwise/internal/train/options";

const plain = { env: "LookUp-v0", recipe: "grpo", updates: 1, groups: 2, groupSize: 2 } as const;
const given = (o: object): Parameters<typeof train>[0] => ({ ...plain, ...o });

describe("the options of train()", () => {
  it("are refused by name when they are unknown, with the nearest one", () => {
    assert.throws(() => train(given({ group_size: 4 })), {
      name: "RangeError",
      message: `Cannot train: unknown option "group_size".\nDid you mean "groupSize"?`,
    });
  });

  it("say where in the recipe a knob stands that was given to train", () => {
    assert.throws(() => train(given({ learningRate: 3 })), {
      name: "RangeError",
      message: `Cannot train: unknown option "learningRate".\nIt belongs to the rule: recipe("grpo", { update: { optimizer: { learningRate: 3 } } })`,
    });
    const { recipe: _none, ...without } = given({ learningRate: 3 });
    assert.throws(() => train(without as Parameters<typeof train>[0]), {
      message: /recipe\("grpo", \{ update: \{ optimizer: \{ learningRate: 3 \} \} \}\)$/,
    });
    // The rule that was given comes first: its own gate has the knob.
    assert.throws(() => train(given({ recipe: recipe("sapo"), tauNegative: 1 })), {
      message: /recipe\("sapo", \{ gate: \{ tauNegative: 1 \} \}\)$/,
    });
  });

  it("say that an option of the world belongs to envOptions", () => {
    assert.throws(() => train(given({ env: "Tiger-v0", accuracy: 0.7 })), {
      message: /It belongs to the environment: envOptions: \{ accuracy: 0\.7 \}$/,
    });
  });

  const refusals: [options: object, name: string, message: string][] = [
    [{ exactEvery: -2 }, "RangeError", "exactEvery must be an integer of at least 0 or true or false"],
    [{ exactEvery: "often" }, "TypeError", "exactEvery must be an integer of at least 0 or true or false"],
    [{ groups: "8" }, "TypeError", "groups must be an integer of at least 1"],
    [{ updates: undefined }, "TypeError", "updates must be an integer of at least 0"],
    [{ updates: -1 }, "RangeError", "updates must be an integer of at least 0"],
    [{ temperature: 0 }, "RangeError", "temperature must be above 0"],
    [{ logProbNoise: -1 }, "RangeError", "logProbNoise must be at least 0"],
    [{ observationTokens: "kept" }, "RangeError", 'observationTokens must be "masked" or "trained"'],
    [{ seed: 0.5 }, "RangeError", "seed must be an integer of at least 0"],
    [{ env: 3 }, "TypeError", "env must be an id or an environment"],
    [{ recipe: 3 }, "TypeError", "recipe must be a recipe or the name of one"],
    [
      { policy: "mlp" },
      "TypeError",
      "policy must be a policy, the options of one or a function that makes one",
    ],
    [{ envOptions: [] }, "TypeError", "envOptions must be an object"],
    [{ signal: {} }, "TypeError", "signal must be an AbortSignal"],
  ];
  for (const [options, name, message] of refusals) {
    it(`are refused when one has the wrong type or is out of range: ${JSON.stringify(options)}`, () => {
      assert.throws(
        () => train(given(options)),
        (error: Error) => error.name === name && error.message.startsWith(`Cannot train: ${message}, got `),
      );
    });
  }

  it("are refused when a batch or an evaluation would fill the memory", () => {
    for (const [options, told] of [
      [{ groups: 1e6, groupSize: 3 }, "groups times groupSize must be at most 1000000, got 3000000."],
      [{ evalEpisodes: 1e9, evalEvery: 1 }, "evalEpisodes must be at most 1000000, got 1000000000."],
    ] as const)
      assert.throws(() => train(given(options)), { name: "RangeError", message: `Cannot train: ${told}` });
  });

  it("are refused from a grid and for several seeds before any work is done", async () => {
    const grid = { recipe: ["grpo", "rloo"], env: "LookUp-v0", updates: 1, seeds: 2, workers: 0 } as const;
    const refused = (o: object, message: RegExp): void =>
      assert.throws(() => sweep({ ...grid, ...o } as never), { message });
    refused({ group_size: 4 }, /^Cannot sweep: unknown option "group_size"\.\nDid you mean "groupSize"\?$/);
    refused({ groups: [2, 0] }, /^Cannot sweep: groups must be an integer of at least 1, got 0\.$/);
    refused(
      { learningRate: [1, 2] },
      /belongs to the rule: recipe\("grpo", \{ update: \{ optimizer: \{ learningRate: 1 \} \} \}\)$/,
    );
    refused({ seed: 1 }, /Did you mean "seeds"\?$/);
    refused({ env: ["LookUp-v0", "LookUp-v9"] }, /Its versions are LookUp-v0\.$/);
    refused(
      { recipe: ["grpo", "gprr"] },
      /^Cannot sweep: recipe\[1\] must be the name of a rule, got "gprr"/,
    );
    refused({ task: { export: "trainJob" }, grid: { ...plain, gruops: 1 } }, /unknown option "recipe"\./);
    assert.throws(
      () => sweep({ task: { export: "trainJob" }, grid: { ...plain, gruops: 1 }, seeds: 1 } as never),
      { message: /unknown option "gruops"\.\nDid you mean "groups"\?$/ },
    );
    await assert.rejects(trainSeeds({ ...plain, gruops: 1 } as never, 2), {
      message: /Did you mean "groups"\?$/,
    });
  });
});

describe("the options that a checkpoint fixes", () => {
  const resume = train(plain).checkpoint();

  it("are the settings, the recipe, the environment's options and the seed: each is refused beside it", () => {
    const fixed: Record<string, unknown> = {
      recipe: "rloo",
      envOptions: {},
      seed: 1,
      ...Object.fromEntries(
        Object.entries(settingsSchema.properties).map(([name, field]) => [name, field["default"]]),
      ),
    };
    assert.deepEqual(Object.keys(resume.settings), Object.keys(settingsSchema.properties));
    for (const [name, value] of Object.entries(fixed)) {
      assert.throws(() => train({ resume, updates: 2, [name]: value } as never), {
        name: "TypeError",
        message: `Cannot resume: the checkpoint fixes ${name}. Leave it out.`,
      });
    }
    const { signal } = new AbortController();
    assert.equal(train({ resume, updates: 2, signal, env: make("LookUp-v0"), policy: {} }).updates, 2);
  });

  it("have their defaults in a checkpoint from before they were", () => {
    const { logProbNoise: _, observationTokens: __, ...older } = resume.settings;
    const run = train({ resume: { ...resume, settings: older }, updates: 2 });
    assert.deepEqual(run.checkpoint().settings, resume.settings);
    const broken = { ...resume, settings: { ...older, groups: 0 } } as Checkpoint;
    assert.throws(() => train({ resume: broken, updates: 2 }), {
      message: "Cannot resume: groups must be an integer of at least 1, got 0.",
    });
  });
});

describe("optionsTable()", () => {
  it("has a row for every option, with a sentence for each", () => {
    const rows = optionsTable("train");
    assert.deepEqual(
      rows.map(({ option }) => option),
      Object.keys(trainSchema.properties),
    );
    for (const { option, help, mustBe } of rows) {
      assert.match(help, /^\S.*\.$/, option);
      assert.notEqual(mustBe, "", option);
    }
    assert.deepEqual(
      rows.find(({ option }) => option === "logProbNoise"),
      {
        option: "logProbNoise",
        mustBe: "at least 0",
        default: "0",
        unit: "nats",
        help: "Disagreement of rollout engine and trainer: scale of heavy-tailed noise on the stored log-probs.",
      },
    );
  });
});
