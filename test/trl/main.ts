// Uses internals of turnwise-kernel/cli.
/**
 * `npm run trl`: GRPO by TRL, on a world that `npx turnwise serve` serves, and our own run of the same row beside it. It writes
 * datasets/trl-lookup. PyTorch and what it brings take six gigabytes in .turnwise/trl-venv.
 *
 * A seed whose training is finished is not trained again, unless by `npm run trl -- --again`; the training runs are in build/trl.
 */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { Complaint, step } from "turnwise-kernel/bootstrap/steps.cjs";
import * as packages from "turnwise-kernel/bootstrap/python-packages.cjs";
import { makeEnvironment } from "turnwise-kernel/dist/cli/jupyter/environment.js";
import { environmentPython } from "turnwise-kernel/dist/cli/jupyter/python.js";
import { startServing } from "../support/openEnv.js";
import { root } from "../support/paths.js";
import { hasPackages } from "../support/python.js";
import { ownRun, type OwnLine } from "./ownRun.js";
import { writeRecord } from "./record.js";
import { seeds, setting, world } from "./setting.js";

const venv = path.join(root, ".turnwise", "trl-venv");
const finished = (folder: string): boolean => fs.existsSync(path.join(folder, "facts.json"));

async function providePython(): Promise<string> {
  const python = environmentPython(venv);
  const holds = async (): Promise<string | undefined> =>
    (await hasPackages(python, packages.trl)) ? packages.trl.join(", ") : undefined;
  if ((await holds()) === undefined)
    await makeEnvironment({ folder: venv, title: "TRL and PyTorch", packages: packages.trl, holds });
  return python;
}

/** Runs train.py; its lines about updates are the progress, and all that it says is in log.txt. */
function trainByTrl(
  args: readonly string[],
  folder: string,
  progress: (note: string) => void,
): Promise<void> {
  const script = path.join(root, "test", "trl", "train.py");
  const log = path.join(folder, "log.txt");
  const said = fs.createWriteStream(log);
  const child = spawn(environmentPython(venv), [script, ...args], { cwd: root });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.write(text);
    for (const [line] of text.matchAll(/^update .*$/gm)) progress(line);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => said.write(text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      said.end();
      if (code === 0) resolve();
      else
        reject(
          new Complaint(`Cannot train by TRL: train.py must end with 0, but it ended with ${code}; ${log}.`),
        );
    });
  });
}

export async function main(args: readonly string[]): Promise<void> {
  const unknown = args.find((arg) => arg !== "--again");
  if (unknown !== undefined)
    throw new Complaint(`Cannot run npm run trl: its only option must be --again: got ${unknown}.`);
  const runs = seeds.map((seed) => path.join(root, "build", "trl", `seed-${seed}`));
  if (args.length > 0) for (const folder of runs) fs.rmSync(folder, { recursive: true, force: true });
  await providePython();
  const server = await startServing([world]);
  try {
    for (const [i, seed] of seeds.entries()) {
      const folder = runs[i]!;
      if (finished(folder)) continue;
      fs.mkdirSync(folder, { recursive: true });
      const told = JSON.stringify({ seed, ...setting });
      await step(`Training by TRL, seed ${seed}`, (progress) =>
        trainByTrl([server.url, folder, told], folder, progress),
      );
    }
  } finally {
    await server.stop();
  }
  const own: OwnLine[] = [];
  for (const seed of seeds)
    await step(`Our own run, seed ${seed}`, async () => void own.push(...(await ownRun(seed))));
  await step("Writing datasets/trl-lookup", () => Promise.resolve(writeRecord(runs, own)));
}
