// Uses internals of turnwise/env, turnwise-practice.
import assert from "node:assert/strict";
import Ajv from "ajv";
import { createRng, GameEnv, make, register, registeredIds, type EnvSpec } from "turnwise";
import { callsOf } from "turnwise/internal/env/tool/declared";
import { Toolbox } from "turnwise-practice/internal/serve/world/tools";
import { TurnReader } from "turnwise-practice/internal/serve/world/turnReader";
import { serve } from "turnwise-practice/serve";
import { patient } from "../../../support/patient.js";
import { Client } from "../../../support/openEnv.js";

const ids = registeredIds().filter((id) => /^[A-Z]\w+-v0$/.test(id));
const settings: readonly (readonly [id: string, options?: object])[] = [
  ...ids.map((id) => [id] as const),
  ["Calculator-v0", { syntax: "digits" }],
  ["Codebreaker-v0", { level: 3, distractors: 1 }],
  ["MatrixChain-v0", { horizon: "one" }],
];
const toolboxOf = (spec: EnvSpec): Toolbox => new Toolbox(spec, new TurnReader(spec));

describe("the tools that a server lists", function () {
  this.timeout(patient(20_000));

  for (const [id, options] of settings) {
    it(`of ${id}${options ? ` with ${JSON.stringify(options)}` : ""} have schemas that allow what the world takes, and nothing else`, () => {
      const { spec } = make(id, { ...options });
      const toolbox = toolboxOf(spec);
      const ajv = new Ajv({ allErrors: true, unknownFormats: [] });
      const rng = createRng(6);
      for (const { name, description, inputSchema } of toolbox.list) {
        assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
        assert.ok(description.length > 10);
        assert.equal(ajv.validateSchema(inputSchema), true, ajv.errorsText());
        const allows = ajv.compile(inputSchema);
        const takes = (given: object): boolean => !("unread" in toolbox.turn(name, { ...given }));
        const tool = spec.tools?.find((other) => other.name === name);
        if (!tool) continue;
        const calls = callsOf(tool, 20, rng);
        for (const given of calls) {
          assert.equal(allows(given), true, `${name} ${JSON.stringify(given)}`);
          assert.equal(takes(given), true, `${name} ${JSON.stringify(given)}`);
        }
        const [first] = calls;
        const wrong: object[] = [{ ...first, arg9: "x" }];
        for (const { name: parameter } of tool.parameters) {
          const { [parameter]: _left, ...rest } = first!;
          wrong.push(
            rest,
            ...["", "nonsense", "-1", null, ["0"], {}].map((x) => ({ ...first, [parameter]: x })),
          );
        }
        for (const given of wrong) {
          assert.equal(allows(given), false, `${name} ${JSON.stringify(given)}`);
          assert.equal(takes(given), false, `${name} ${JSON.stringify(given)}`);
        }
      }
    });
  }

  it("tell a model what each argument may be", () => {
    const listed = (id: string, name: string): unknown =>
      toolboxOf(make(id).spec).list.find((tool) => tool.name === name);
    assert.deepEqual(listed("ApiChain-v0", "CONTACT"), {
      name: "CONTACT",
      description: 'Shows the account of a person. The turn is "CONTACT <person>".',
      inputSchema: {
        type: "object",
        properties: { person: { type: "string", enum: ["ann", "bob"] } },
        required: ["person"],
        additionalProperties: false,
      },
    });
    assert.deepEqual(listed("MemoryDesk-v0", "NOOP"), {
      name: "NOOP",
      description: 'Lets the event pass. The turn is "NOOP".',
      inputSchema: { type: "object", properties: {}, required: [], additionalProperties: false },
    });
    // A code of two digits below 3, and one digit that no code has.
    assert.deepEqual(listed("Codebreaker-v0", "SUBMIT"), {
      name: "SUBMIT",
      description: 'Guesses the hidden code, which ends the episode. The turn is "SUBMIT <code>".',
      inputSchema: {
        type: "object",
        properties: {
          code: {
            type: "string",
            description: "2 digits",
            pattern: "^\\s*(?:0|1|2|3)(?:\\s*(?:0|1|2|3)){1,1}\\s*$",
          },
        },
        required: ["code"],
        additionalProperties: false,
      },
    });
  });

  it("are the same by MCP and by OpenEnv, and one mistake in a call costs one turn", async () => {
    const server = await serve("ApiChain-v0");
    try {
      const client = await Client.open(server.url);
      await client.ask({ type: "reset", data: { seed: 1 } });
      const { tools } = (await client.ask({ type: "step", data: { type: "list_tools" } })).data
        .observation as unknown as { tools: { name: string; input_schema: unknown }[] };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
      const { result } = (await (await fetch(`${server.url}/mcp`, { method: "POST", body })).json()) as {
        result: { tools: { name: string; inputSchema: unknown }[] };
      };
      assert.deepEqual(
        tools.map(({ name, input_schema }) => [name, input_schema]),
        result.tools.map(({ name, inputSchema }) => [name, inputSchema]),
      );
      const call = { type: "call_tool", tool_name: "CONTACT", arguments: { arg1: "ann" } };
      const { observation } = (await client.ask({ type: "step", data: call })).data as unknown as {
        observation: { error: unknown };
      };
      assert.deepEqual(observation.error, {
        error_type: "invalid_args",
        message: "CONTACT must have only person, got arg1.",
      });
      assert.equal((await client.ask({ type: "state" })).data.step_count, 1);
      const about = (await (await fetch(`${server.url}/metadata`)).json()) as { readme_content: string };
      assert.match(about.readme_content, /- `SEND <account> <amount>`: Pays an amount to an account/);
    } finally {
      await server.close();
    }
  });

  it("of a world that declares none are the words that a turn may begin with", () => {
    const spec: EnvSpec = {
      ...{ id: "Mine-v0", skill: "mine", vocabulary: ["DIG", "REST", "left", "right", "END"] },
      ...{ observationVocabulary: ["o"], maxTurns: 1, maxTokens: 3, endToken: 4, options: {} },
    };
    const [act] = toolboxOf(spec).list;
    assert.equal(act!.name, "act");
    const turn = (given: object): unknown => toolboxOf(spec).turn("act", { ...given });
    assert.deepEqual(turn({ text: "dig left" }), { action: [0, 2, 4] });
    for (const text of [3, undefined, null]) {
      assert.deepEqual(turn({ text }), { unread: "text must be a string.", mistake: "invalid_args" });
    }
    assert.deepEqual(turn({ text: "DIG", word: "DIG" }), {
      unread: "act must have only text, got word.",
      mistake: "invalid_args",
    });
    const known = toolboxOf({ ...spec, syntax: [[0, 1], [2, 3, 4], [4]] });
    assert.deepEqual(
      known.list.map(({ name, inputSchema }) => [name, inputSchema["properties"], inputSchema["required"]]),
      ["DIG", "REST"].map((name) => [name, { arg1: { type: "string", enum: ["left", "right"] } }, []]),
    );
    assert.deepEqual(known.turn("DIG", { arg1: "left" }), { action: [0, 2, 4] });
    assert.deepEqual(known.turn("DIG", {}), { action: [0, 4] });
  });

  it("are refused before anything is served, where a world declares one that cannot be called", async () => {
    const env = make("Tiger-v0").spec;
    const game = {
      spec: { ...env, id: "badTools-v0", tools: [{ name: "HEAR", about: "Hears.", parameters: [] }] },
      start: () => [],
      transition: () => [],
      render: () => "",
    };
    register("badTools-v0", () => new GameEnv(game), { replace: true });
    await assert.rejects(serve("badTools-v0"), {
      name: "RangeError",
      message: `Cannot serve badTools-v0: the turn of the tool HEAR has the word "HEAR" (it must be in spec.vocabulary.).`,
    });
  });
});
