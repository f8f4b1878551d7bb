// Uses internals of turnwise/env, turnwise-practice.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createRng, make } from "turnwise";
import { callsOf } from "turnwise/internal/env/tool/declared";
import { clientFile } from "turnwise-practice/internal/serve/python/index";
import { Toolbox } from "turnwise-practice/internal/serve/world/tools";
import { TurnReader } from "turnwise-practice/internal/serve/world/turnReader";
import { startServing } from "./openEnv.js";
import { temporaryFolder } from "./command.js";
import { root } from "./paths.js";

interface Call {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

interface Episode {
  readonly seed: number;
  readonly member: number;
  readonly calls: readonly Call[];
  /** What the world pays here, and what it shows. */
  readonly rewards: readonly number[];
  readonly seen: readonly string[];
}

/** What one client was shown and paid. */
interface Told {
  readonly rows: readonly { seen: readonly string[]; rewards: readonly number[]; total: number }[];
  /** Names of the tools that the trainer lists. */
  readonly tools: readonly string[];
}

/** Episodes of random calls in the world here; every tool is called. */
function episodesOf(id: string, count: number): Episode[] {
  const env = make(id);
  const toolbox = new Toolbox(env.spec, new TurnReader(env.spec));
  const tools = env.spec.tools!;
  return Array.from({ length: count }, (_, i) => {
    const [seed, member] = [i + 1, 2 * i];
    const rng = createRng(seed).split("calls");
    const seen = [env.reset({ seed, member })[0].text];
    const calls: Call[] = [];
    const rewards: number[] = [];
    for (let over = false; !over;) {
      const tool = tools[rng.below(tools.length)]!;
      const choices = callsOf(tool, 10, rng);
      const given = choices[rng.below(choices.length)]!;
      const turn = toolbox.turn(tool.name, given);
      assert.ok("action" in turn);
      const [observation, reward, terminated, truncated] = env.step(turn.action);
      calls.push({ tool: tool.name, arguments: given });
      rewards.push(reward);
      seen.push(observation.text);
      over = terminated || truncated || calls.length >= env.spec.maxTurns;
    }
    return { seed, member, calls, rewards, seen };
  });
}

/**
 * Plays episodes of these worlds by the generated clients of these trainers, in the trainers' packages and against
 * `turnwise serve`, and compares them with the same episodes here. Returns what each client listed, world by world.
 */
export async function playByClients(
  python: string,
  ids: readonly string[],
  clients: readonly string[],
  count = 8,
): Promise<readonly Readonly<Record<string, Told>>[]> {
  const folder = path.join(temporaryFolder(), "clients");
  mkdirSync(folder, { recursive: true });
  const servings = await Promise.all(ids.map((id) => startServing([id])));
  try {
    const worlds = ids.map((id, at) => {
      const files = clients.map((client) => {
        const file = clientFile(id, client, { url: "http://127.0.0.1:1", command: "" });
        writeFileSync(path.join(folder, file.name), file.text);
        return [client, file.name.replace(/\.py$/, "")] as const;
      });
      const names = make(id).spec.tools!.map(({ name }) => [name, name.replaceAll("-", "_")]);
      return {
        ...{ url: servings[at]!.url, clients: Object.fromEntries(files), methods: Object.fromEntries(names) },
        ...{ class: id.replace(/-v\d+$/, ""), episodes: episodesOf(id, count) },
      };
    });
    const report = await ask(python, folder, worlds);
    worlds.forEach(({ episodes }, at) => {
      for (const client of clients) compare(`${ids[at]!} by ${client}`, episodes, report[at]![client]!);
    });
    return report;
  } finally {
    await Promise.all(servings.map((serving) => serving.stop()));
  }
}

function compare(what: string, episodes: readonly Episode[], { rows }: Told): void {
  assert.equal(rows.length, episodes.length, what);
  rows.forEach(({ seen, rewards, total }, i) => {
    const here = episodes[i]!;
    const told = `${what}, seed ${here.seed}: ${JSON.stringify(here.calls)}`;
    rewards.forEach((reward, turn) => assert.ok(Math.abs(reward - here.rewards[turn]!) < 1e-12, told));
    const sum = here.rewards.reduce((all, reward) => all + reward, 0);
    assert.ok(Math.abs(total - sum) < 1e-12, told);
    assert.equal(seen.length, here.seen.length, told);
    seen.forEach((text, turn) => assert.ok(text.includes(here.seen[turn]!), `${told}: ${text}`));
  });
}

function ask(
  python: string,
  folder: string,
  worlds: readonly object[],
): Promise<readonly Readonly<Record<string, Told>>[]> {
  const script = path.join(root, "test", "protocol", "python", "trainer_clients.py");
  const child = spawn(python, [script, folder]);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.end(JSON.stringify(worlds));
  return new Promise((resolve, reject) => {
    child.once("close", (code) => {
      if (code === 0) resolve(JSON.parse(stdout.trim().split("\n").at(-1)!) as never);
      else reject(new Error(`the clients ended with ${code}: ${stderr.slice(-3000)}`));
    });
  });
}
