import assert from "node:assert/strict";
import { make, registeredIds } from "turnwise";
import { serve, type WorldServer } from "turnwise-practice/serve";
import { patient } from "../../../support/patient.js";
import { Client, playRandomly, type Answer } from "../../../support/openEnv.js";

const reset = (seed: number): unknown => ({ type: "reset", data: { seed } });
const turn = (text: string): unknown => ({ type: "step", data: { text } });
const call = (tool_name: string, args: object): unknown => ({
  type: "step",
  data: { type: "call_tool", tool_name, arguments: args },
});

describe("a served world", function () {
  this.timeout(patient(30_000));
  let server: WorldServer;
  let client: Client;
  const open = async (id: string): Promise<void> => {
    server = await serve(id);
    client = await Client.open(server.url);
  };
  afterEach(async () => {
    await server.close();
  });

  for (const id of registeredIds().filter((known) => /^[A-Z]\w+-v0$/.test(known))) {
    it(`${id}: texts in and out are the same episodes, rewards and ends as here`, async () => {
      await open(id);
      const env = make(id);
      for (let seed = 0; seed < 5; seed++) {
        const { texts, seen, rewards } = playRandomly(env, seed);
        const answers = [await client.ask(reset(seed))];
        for (const text of texts) answers.push(await client.ask(turn(text)));
        assert.deepEqual(
          answers.map(({ data }) => data.observation.text),
          seen,
        );
        assert.deepEqual(
          answers.map(({ data }) => data.reward),
          [null, ...rewards],
        );
        assert.deepEqual(
          answers.map(({ data }) => data.done),
          answers.map((_, i) => i === texts.length),
        );
        const { data: state } = await client.ask({ type: "state" });
        assert.equal(state.step_count, texts.length);
        const total = rewards.reduce((sum, reward) => sum + reward, 0);
        assert.equal((state as unknown as { return: number }).return, total);
        assert.equal(state.episode_id, answers[0]!.data.metadata!.episode_id);
      }
    });

    it(`${id}: no answer holds what the verifier wants, and every text that is no turn costs one`, async () => {
      await open(id);
      const { maxTurns } = make(id).spec;
      const answers: Answer[] = [await client.ask(reset(1))];
      for (let i = 0; i < maxTurns; i++) answers.push(await client.ask(turn("I think that I should ...")));
      assert.equal(answers.at(-1)!.data.done, true, "the turns are used up");
      for (const { type, data } of answers.slice(1)) {
        assert.equal(type, "observation");
        assert.match(String(data.metadata!.unread), /^the words of a turn must be among .*, got I/);
        assert.equal("gold" in data.metadata!, false);
        assert.equal(data.metadata!.call, "malformed");
        assert.ok(data.reward! <= 0, "nothing is paid for it");
      }
    });
  }

  it("reads words in any case, and says which word it does not know", async () => {
    await open("LookUp-v0");
    await client.ask(reset(1));
    assert.match((await client.ask(turn("  lookup\n 2 "))).data.observation.text, /^result: the fact is \d$/);
    await client.ask(reset(1));
    const { observation } = (await client.ask(turn("LOKUP 2"))).data;
    assert.match(observation.text, /got LOKUP\.\nDid you mean "LOOKUP"\?$/);
    await client.ask(reset(1));
    assert.match(
      (await client.ask(turn("LOOKUP"))).data.observation.text,
      /exactly 2 of the world's words, got 1\.$/,
    );
  });

  it("pays for a call of a tool what it pays for the turn, and a mistake in a call costs a turn", async () => {
    await open("LookUp-v0");
    await client.ask(reset(4));
    const shown = await client.ask(call("LOOKUP", {}));
    const fact = shown.data.observation.text.at(-1)!;
    const right = await client.ask(call("ANSWER", { value: fact }));
    assert.deepEqual([right.data.reward, right.data.done], [1, true]);
    await client.ask(reset(4));
    const wrong = (await client.ask(call("ASK", {}))).data as unknown as {
      observation: { error: { error_type: string; message: string } };
    };
    assert.deepEqual(wrong.observation.error, {
      error_type: "tool_not_found",
      message: "the tool must be among ANSWER, LOOKUP, got ASK.",
    });
    const last = await client.ask(call("ANSWER", { value: "9" }));
    assert.deepEqual([last.data.reward, last.data.done], [0, true]);
    const { tools } = (await client.ask({ type: "step", data: { type: "list_tools" } })).data
      .observation as unknown as { tools: { name: string }[] };
    assert.deepEqual(
      tools.map(({ name }) => name),
      ["ANSWER", "LOOKUP"],
    );
  });

  it("lists its tasks with a seed that begins with each", async () => {
    await open("LookUp-v0");
    const post = (way: string, body: object): Promise<unknown> =>
      fetch(`${server.url}/lookup-V0/${way}`, { method: "POST", body: JSON.stringify(body) }).then((r) =>
        r.json(),
      );
    const { tasks } = (await post("tasks", { split: "train" })) as {
      tasks: { task_id: string; seed: number }[];
    };
    assert.deepEqual(tasks.map(({ task_id }) => task_id).sort(), ["fact=0", "fact=1", "fact=2", "fact=3"]);
    for (const { task_id, seed } of tasks) {
      assert.equal((await client.ask(reset(seed))).data.metadata!.taskId, task_id);
    }
    assert.deepEqual(await post("num_tasks", { split: "train" }), { num_tasks: 4 });
    assert.deepEqual(await post("task", { split: "train", index: 1 }), { task: tasks[1] });
    assert.deepEqual(await post("task_range", { split: "train", start: 1, stop: 3 }), {
      tasks: tasks.slice(1, 3),
    });
    assert.match(
      JSON.stringify(await post("task", { split: "train", index: 4 })),
      /index must be an integer below 4/,
    );
  });

  it("gives sessions without a seed different episodes, and tells the seeds", async () => {
    await open("Calculator-v0");
    const other = await Client.open(server.url);
    const begin = { type: "reset" };
    const seeds = [];
    for (const each of [client, client, other, other])
      seeds.push((await each.ask(begin)).data.metadata!.seed);
    assert.equal(new Set(seeds).size, 4);
  });
});
