import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import path from "node:path";
import { checkEnv, make, train, type Env } from "turnwise";
import { openEnv, serve, type WorldServer } from "turnwise-practice/serve";
import { run } from "turnwise-kernel/bootstrap/command.cjs";
import { playRandomly, type Played } from "../support/openEnv.js";
import { removeTemporaryFolders } from "../support/command.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { pythonWith } from "../support/python.js";
import { playByClients } from "../support/trainerClients.js";

const scripts = path.join(root, "test", "protocol", "python");

interface Report {
  readonly played: readonly (Played & { done: boolean; steps: number; name: string })[];
  readonly tools: { readonly names: readonly string[]; readonly text: string; readonly reward: number };
  readonly graded: Readonly<Record<string, readonly string[]>>;
}

/** What OpenEnv's clients say of these episodes, given to them on standard input. */
function askClients(python: string, args: readonly string[], episodes: readonly Played[]): Promise<Report> {
  const child = spawn(python, [path.join(scripts, "openenv_client.py"), ...args]);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.end(JSON.stringify(episodes));
  return new Promise((resolve, reject) => {
    child.once("close", (code) => {
      if (code === 0) resolve(JSON.parse(stdout) as Report);
      else reject(new Error(`OpenEnv's client ended with ${code}: ${stderr}`));
    });
  });
}

describe("OpenEnv's own tools", function () {
  this.timeout(patient(120_000));
  this.slow(30_000);
  let python = "";
  const servers: WorldServer[] = [];
  before(async function () {
    python = await pythonWith(this, "openEnvTests");
  });
  after(() => Promise.all(servers.map((server) => server.close())));
  after(removeTemporaryFolders);

  it("openenv validate passes a served world in all of its criteria", async () => {
    const server = await serve("Calculator-v0");
    servers.push(server);
    const cli = ["-m", "openenv.cli", "validate", "--url", server.url, "--json"];
    const { code, output } = await run(python, [...cli, "--timeout", "30"], { timeoutMs: patient(100_000) });
    assert.equal(code, 0, output);
    const { passed, mode, summary } = JSON.parse(output.slice(output.indexOf("{"))) as {
      passed: boolean;
      mode: string;
      summary: { passed_count: number; total_count: number };
    };
    assert.deepEqual([passed, mode, summary.passed_count], [true, "simulation", summary.total_count]);
    assert.ok(summary.total_count >= 6, "of six criteria or more");
  });

  it("GenericEnvClient is paid what the world pays here, MCPToolClient too, and the runtime graders pass a replay", async () => {
    const server = await serve("Calculator-v0");
    servers.push(server);
    const env = make("Calculator-v0");
    const episodes = Array.from({ length: 100 }, (_, seed) => playRandomly(env, seed + 1));
    // The first one is also called as a tool, which takes well-formed calls alone.
    const wellFormed = ({ texts }: Played): number => Number(/^CALL [\^*+]$/.test(texts[0]!));
    episodes.sort((a, b) => wellFormed(b) - wellFormed(a));
    const { played, tools, graded } = await askClients(python, [server.url, ""], episodes);
    played.forEach(({ done, steps, name, ...rest }, i) => {
      assert.deepEqual(rest, episodes[i]);
      assert.deepEqual([done, steps, name], [true, rest.texts.length, `episode ${rest.seed}`]);
    });
    assert.equal(played.length, episodes.length);
    assert.ok(new Set(episodes.flatMap(({ rewards }) => rewards)).size > 2, "rewards differ");
    assert.deepEqual(tools, {
      names: ["THINK", "CALL", "ANSWER"],
      text: episodes[0]!.seen[1],
      reward: episodes[0]!.rewards[0],
    });
    assert.deepEqual(
      Object.entries(graded).map(([grader, [status]]) => [grader, status]),
      [
        ["runtime.reward_well_formed", "pass"],
        ["runtime.observation_schema", "pass"],
        ["runtime.state_contract", "pass"],
      ],
      JSON.stringify(graded),
    );
  });

  it("a generated client is paid what the world pays here", async () => {
    const [told] = await playByClients(python, ["Calculator-v0"], ["openenv"]);
    assert.equal(told!.openenv!.rows.length, 8);
  });

  it("come in with the token that a server asks for, and not without it", async () => {
    const token = "a-token-of-some-length";
    const server = await serve("LookUp-v0", { token });
    servers.push(server);
    const episodes = [playRandomly(make("LookUp-v0"), 7)];
    episodes[0] = { ...episodes[0]!, texts: ["LOOKUP 0", "ANSWER 0"] };
    const { played } = await askClients(python, [server.url, token], episodes);
    assert.equal(played[0]!.steps, 2);
    await assert.rejects(askClients(python, [server.url, ""], episodes), /HTTP 401/);
  });
});

describe("a world that OpenEnv's own server plays", function () {
  this.timeout(patient(120_000));
  this.slow(30_000);
  let child: ChildProcess | undefined;
  let env: Env;
  before(async function () {
    const python = await pythonWith(this, "openEnvTests");
    child = spawn(python, [path.join(scripts, "openenv_world.py")], { stdio: ["ignore", "pipe", "pipe"] });
    const url = await new Promise<string>((resolve, reject) => {
      let said = "";
      child!.stderr!.on("data", (text) => (said += String(text)));
      child!.stdout!.once("data", (text) => resolve(String(text).trim()));
      child!.once("close", (code) => reject(new Error(`OpenEnv's server ended with ${code}: ${said}`)));
    });
    env = openEnv(url, {
      timeoutSeconds: patient(60),
      world: {
        words: ["0", "1", "2", "3"],
        maxTurns: 3,
        action: ([word]) => ({ number: Number(word) }),
        text: ({ told }) => String(told),
        observationWords: ["guess", "higher", "lower", "right"],
      },
    });
  });
  after(() => {
    env?.close();
    child?.kill();
  });

  it("keeps the contract of environments", () => {
    assert.equal(env.spec.id, "Guessing-v0", "the server's own name for it");
    checkEnv(env);
  });

  it("shows what the server shows as tokens, pays what it pays, and is cut after the turns that it was given", () => {
    const [first] = env.reset({ seed: 6 });
    assert.deepEqual(first, { text: "guess", tokens: [4] });
    const [higher, unpaid, ...over] = env.step([0]);
    assert.deepEqual([higher.text, higher.tokens, unpaid, over[0]], ["higher", [5], 0, false]);
    const [right, paid, terminated, truncated] = env.step([2]);
    assert.deepEqual([right.text, paid, terminated, truncated], ["right", 1, true, false]);
    env.reset({ seed: 3 });
    const flags = [0, 0, 0].map((token) => env.step([token]).slice(2, 4));
    assert.deepEqual(flags.at(-1), [false, true]);
  });

  it("is learned: guesses that follow the hints are paid more often than random ones", async () => {
    const rewards: number[] = [];
    for await (const record of train({
      env,
      recipe: "grpo",
      updates: 30,
      groups: 4,
      groupSize: 4,
      seed: 1,
    })) {
      rewards.push(record.metrics["reward/mean"]!);
    }
    const mean = (of: readonly number[]): number => of.reduce((sum, x) => sum + x, 0) / of.length;
    assert.ok(mean(rewards.slice(-10)) > mean(rewards.slice(0, 10)), rewards.join(" "));
  });
});
