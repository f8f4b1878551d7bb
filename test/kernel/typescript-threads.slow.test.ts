import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { host, plain, resultText, runIn, sharedKernel, temporaryFolder } from "./with-kernel.js";

if (host === "node")
  describe("a thread or a process that begins with a TypeScript file", function () {
    this.timeout(120_000);
    const folder = temporaryFolder();
    const kernel = sharedKernel(() => ({ cwd: folder() }));
    const run = runIn(kernel);
    const value = async (code: string): Promise<string | undefined> => resultText(await run(code));

    before(async () => {
      const files = {
        "twice.ts": "export enum Of { Two = 2 }\nexport const twice = (n: number): number => n * Of.Two;",
        "works.ts": `import { parentPort, workerData } from "node:worker_threads";
import { twice } from "./twice.js";
parentPort!.postMessage([twice(workerData as number), import.meta.url.endsWith("/works.ts")].join());`,
        "fails.ts":
          "interface None {}\n\nfunction fails(): never {\n  throw new Error('in a thread');\n}\nfails();",
        "forked.ts": `import { twice } from "./twice";
process.once("message", (n: number) => { process.send!(twice(n)); });`,
        "outer.ts": `import { Worker, parentPort } from "node:worker_threads";
new Worker(new URL("./works.ts", import.meta.url), { workerData: 4 })
  .once("message", (said) => parentPort!.postMessage(said));`,
      };
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder(), name), text);
      await run(`import { Worker } from "node:worker_threads";
import { fork } from "node:child_process";
const heard = (from: any) => new Promise((done, failed) => from.once("message", done).once("error", failed));`);
    });

    it("runs as a worker, by an address or a path, also in a worker", async () => {
      const byUrl = "await heard(new Worker(new URL('./works.ts', import.meta.url), { workerData: 3 }))";
      assert.equal(await value(byUrl), "'6,true'");
      assert.equal(await value("await heard(new Worker('./outer.ts'))"), "'8,true'");
    });

    it("fails at the line that was written", async () => {
      const { error } = await kernel().execute("await heard(new Worker('./fails.ts'))");
      assert.match(plain(error?.traceback), /Error: in a thread[\s\S]*fails\.ts:4:9/);
    });

    it("runs as a forked process", async () => {
      const code =
        "const child = fork('./forked.ts'); child.send(5); const answer = await heard(child); child.kill(); answer";
      assert.equal(await value(code), "10");
    });

    it("leaves workers alone that are JavaScript or a text", async () => {
      const code = `class Own extends Worker {}
const own = new Own('require("worker_threads").parentPort.postMessage(1)', { eval: true });
[own instanceof Worker, await heard(own)].join()`;
      assert.equal(await value(code), "'true,1'");
    });
  });
