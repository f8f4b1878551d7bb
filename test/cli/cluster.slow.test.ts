import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { custom, merge, readSweep, recipe, sweep } from "turnwise";
import { run } from "turnwise-kernel/bootstrap/command.cjs";
import { removeTemporaryFolders, temporaryFolder, turnwise } from "../support/command.js";
import { skip } from "../support/needs.js";
import { pythonWith } from "../support/python.js";
import { startSlurm, type Slurm } from "../support/slurm.js";

const plan = {
  task: { module: join(__dirname, "..", "lib", "sweep", "jobs.js"), export: "draw" },
  grid: { scale: [1, 2] },
  seeds: 4,
};

function folderWithPlan(): string {
  const folder = temporaryFolder("turn wise");
  writeFileSync(join(folder, "plan.json"), JSON.stringify(plan));
  return folder;
}

/** A module beside the plan, with a piece of a rule and a world; the plan names both, and the module from its folder. */
const ownModule = `
import { custom, make, register } from "turnwise";
export const squared = custom("squared", (batch) => batch.return_n.map((R: number) => R * R));
register("ClusterLookUp-v0", (options) => make("LookUp-v0", options));
`;
const ownPlan = {
  recipe: ["rloo", recipe("rloo", { advantage: custom("squared", (batch) => [...batch.return_n]) })],
  env: "ClusterLookUp-v0",
  ...{ updates: 2, groups: 2, groupSize: 4, seeds: 2 },
  modules: ["./mine.ts"],
};

async function expectWhole(folder: string, files: readonly string[]): Promise<void> {
  const joined = merge(files.map((name) => join(folder, name)));
  const here = await sweep({ ...plan, workers: 0 });
  const values = ({ results }: typeof joined): unknown[] => results.map(({ key, value }) => [key, value]);
  assert.deepEqual(values(joined), values(here));
}

describe("a sweep as an array job of Slurm", function () {
  this.timeout(150_000);
  this.slow(60_000);
  let slurm: Slurm | undefined;
  before(async function () {
    if (process.platform !== "linux") skip(this, "needs Linux");
    slurm = await startSlurm(this, temporaryFolder("slurm"));
  });
  after(async () => {
    await slurm?.stop();
    removeTemporaryFolders();
  });
  const files = [1, 2, 3].map((i) => `plan.${i}-of-3.jsonl`);

  it("runs every job once, whatever the folder is called", async () => {
    const cwd = folderWithPlan();
    const written = await turnwise(["sweep", "plan.json", "--slurm", "3"], { cwd });
    assert.equal(written.code, 0, written.stderr);
    assert.equal(
      written.stdout,
      "8 jobs in 3 tasks. Run and join them with:\n  sbatch plan.slurm\n" +
        "  turnwise merge plan.*-of-3.jsonl --results plan.jsonl\n",
    );
    const { code, output } = slurm!.run("sbatch", ["--wait", "plan.slurm"], { cwd });
    const logs = files.map((name) => readLog(join(cwd, name.replace(".jsonl", ".log"))));
    assert.equal(code, 0, `${output}\n${logs.join("\n")}`);
    await expectWhole(cwd, files);
  });

  it("knows the modules that the plan names, wherever its folder is mounted", async () => {
    const written = temporaryFolder("written");
    const plans = [written, temporaryFolder("mounted elsewhere")].map((folder) => {
      mkdirSync(join(folder, "own"));
      writeFileSync(join(folder, "own", "mine.ts"), ownModule);
      writeFileSync(join(folder, "own", "plan.json"), JSON.stringify(ownPlan));
      return folder;
    });
    const parts: string[] = [];
    for (const [i, cwd] of plans.entries()) {
      const { code, stderr } = await turnwise(["sweep", join("own", "plan.json"), "--slurm", "2"], { cwd });
      assert.equal(code, 0, stderr);
      const ran = slurm!.run("sbatch", ["--wait", `--array=${i + 1}`, join("own", "plan.slurm")], { cwd });
      const part = join(cwd, "own", `plan.${i + 1}-of-2.jsonl`);
      assert.equal(ran.code, 0, `${ran.output}\n${readLog(part.replace(".jsonl", ".log"))}`);
      parts.push(part);
    }
    const whole = await turnwise(["sweep", join("own", "plan.json"), "--workers", "0"], { cwd: written });
    assert.equal(whole.code, 0, whole.stderr);
    const joined = merge(parts);
    assert.equal(joined.results.length, 4);
    assert.deepEqual(
      joined.results.map(({ key, value }) => [key, value]),
      merge([join(written, "own", "plan.jsonl")]).results.map(({ key, value }) => [key, value]),
    );
    assert.deepEqual(readSweep(parts[0]!).plan.modules, ["./mine.ts"]);
  });

  it("resumes where a task's results ended when the scheduler runs it again", async () => {
    const cwd = folderWithPlan();
    await turnwise(["sweep", "plan.json", "--slurm", "3"], { cwd });
    await sweep({ ...plan, shard: "2/3", file: join(cwd, files[1]!), workers: 0 });
    const lines = readFileSync(join(cwd, files[1]!), "utf8").split("\n");
    // The first try ended in the middle of its second result, on a machine that is gone.
    writeFileSync(join(cwd, files[1]!), `${lines.slice(0, 2).join("\n")}\n${lines[2]!.slice(0, 9)}`);
    writeFileSync(join(cwd, `${files[1]!}.lock`), "1@a-machine-that-is-gone");
    const { code, output } = slurm!.run("sbatch", ["--wait", "plan.slurm"], { cwd });
    assert.equal(code, 0, output);
    assert.equal(readFileSync(join(cwd, files[1]!), "utf8").split("\n")[1], lines[1]);
    await expectWhole(cwd, files);
  });
});

describe("a sweep as an Indexed Job of Kubernetes", function () {
  this.timeout(60_000);
  after(removeTemporaryFolders);
  const args = ["sweep", "plan.json", "--kubernetes", "3", "--image", "registry.example/turnwise:1"];
  const manifestIn = async (cwd: string): Promise<Record<string, never>> => {
    const { code, stderr } = await turnwise([...args, "--volume-claim", "results"], { cwd });
    assert.equal(code, 0, stderr);
    return JSON.parse(readFileSync(join(cwd, "plan.job.json"), "utf8")) as Record<string, never>;
  };

  it("is valid by Kubernetes' own schema, which knows every field of it", async function () {
    const python = await pythonWith(this, "clusterTests");
    const cwd = folderWithPlan();
    const manifest = await manifestIn(cwd);
    const script =
      "import json, sys, kubernetes_validate\n" +
      "for file in sys.argv[1:]:\n" +
      "    try: print(kubernetes_validate.validate(json.load(open(file)), '1.37', strict=True))\n" +
      "    except kubernetes_validate.ValidationError as error: print(error.message)\n";
    const misspelled = { ...manifest, spec: { ...(manifest.spec as object), completionmode: "Indexed" } };
    writeFileSync(join(cwd, "misspelled.json"), JSON.stringify(misspelled));
    const { output } = await run(python, ["-c", script, "plan.job.json", "misspelled.json"], { cwd });
    assert.equal(output, "1.37\nAdditional properties are not allowed ('completionmode' was unexpected)\n");
  });

  it("runs every job once when its pods are run one after the other", async function () {
    if (process.platform === "win32") skip(this, "needs a POSIX system");
    const cwd = folderWithPlan();
    const { spec } = (await manifestIn(cwd)) as unknown as {
      spec: {
        completions: number;
        template: { spec: { containers: { command: string[]; workingDir: string }[] } };
      };
    };
    const [container] = spec.template.spec.containers;
    assert.equal(container!.workingDir, "/sweep");
    const [shell, ...rest] = container!.command;
    const bin = join(__dirname, "..", "..", "..", "node_modules", ".bin");
    for (let index = 0; index < spec.completions; index++) {
      const env = {
        ...process.env,
        JOB_COMPLETION_INDEX: String(index),
        PATH: `${bin}:${process.env.PATH!}`,
      };
      const { code, output } = await run(shell!, rest, { cwd, env });
      assert.equal(code, 0, output);
    }
    await expectWhole(
      cwd,
      [1, 2, 3].map((i) => `plan.${i}-of-3.jsonl`),
    );
  });

  it("is not written without an image and a claim", async () => {
    const { code, stderr } = await turnwise(args, { cwd: folderWithPlan() });
    assert.equal(code, 1);
    assert.equal(stderr, "Cannot write the job: --kubernetes must come with --image and --volume-claim.\n");
  });
});

function readLog(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    return (error as Error).message;
  }
}
