import assert from "node:assert/strict";
import path from "node:path";
import { recipeNames, registeredIds } from "turnwise";
import { serve } from "turnwise-site/builder/serve.cjs";
import { writeViews } from "turnwise-site/builder/views.cjs";
import type { FromWorker, Task, ToWorker } from "turnwise-site/internal/views/play/protocol";
import { Training } from "turnwise-site/internal/views/play/training";
import { removeTemporaryFolders, temporaryFolder } from "../../support/command.js";
import { patient } from "../../support/patient.js";
import { root } from "../../support/paths.js";
import { useBrowser } from "../../support/sharedBrowser.js";

/** Answer of a worker to a training and to a film of its last update. */
interface Answer {
  problem: string;
  digest?: string;
  tries?: number;
}

/** Runs in the page: trains all tasks side by side, then films one after the other. */
function answersOf(tasks: readonly Task[]): Promise<Record<string, Answer>> {
  return new Promise((done, failed) => {
    const worker = new Worker("worker.js", { type: "module" });
    const send = (message: ToWorker): void => worker.postMessage(message);
    const answers: Record<string, Answer> = Object.fromEntries(
      tasks.map(({ key }) => [key, { problem: "" }]),
    );
    const isTrained = ({ problem, digest }: Answer): boolean => problem !== "" || digest !== undefined;
    let filmed = 0;
    const filmNext = (): void => {
      const task = tasks[filmed++];
      if (task) send({ kind: "film", task, update: task.updates });
      else done(answers);
    };
    worker.onerror = ({ message }) => failed(new Error(message));
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      const answer = answers[data.key]!;
      if (data.kind !== "fits" && data.problem !== "") answer.problem = data.problem;
      if (data.kind === "points" && data.isDone) answer.digest = data.digest;
      if (data.kind === "film") answer.tries = data.shot?.trajectories.length ?? 0;
      if (data.kind === "film" || (filmed === 0 && Object.values(answers).every(isTrained))) filmNext();
    };
    send({ kind: "tasks", tasks, isRunning: true });
  });
}

describe("the playground's worker", function () {
  this.timeout(patient(300_000));
  let server: Awaited<ReturnType<typeof serve>> | undefined;
  after(() => {
    server?.close();
    removeTemporaryFolders();
  });

  it("trains every rule and every world without TensorFlow.js, bit for bit as Node does, and films it", async function () {
    const out = path.join(temporaryFolder(), "site");
    await writeViews(root, out);
    server = await serve(out, { port: 0 });
    const { port } = server.address() as { port: number };
    const page = await (await useBrowser(this)).newPage();
    await page.goto(`http://localhost:${String(port)}/play/`);
    const rules = recipeNames.map((rule) => ({ world: "LookUp-v0", rule }));
    const worlds = registeredIds().map((world) => ({ world, rule: "grpo" }));
    const tasks = [...rules, ...worlds].map(({ world, rule }): Task => {
      return { key: `${rule} in ${world}`, world, updates: 3, run: { rule, changes: {} } };
    });
    const unique = [...new Map(tasks.map((task) => [task.key, task])).values()];
    const answers = await page.evaluate(answersOf, unique);
    for (const task of unique) {
      const training = new Training(task);
      while ((await training.next()) !== undefined);
      const { problem, digest, tries } = answers[task.key]!;
      assert.deepEqual([problem, digest], ["", training.digest], task.key);
      assert.ok(tries! > 0, task.key);
    }
    await page.close();
  });
});
