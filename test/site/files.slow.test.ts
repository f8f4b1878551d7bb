import type { BrowserContext } from "playwright-core";
import { sharedSite } from "../support/builtSite.js";
import { patient } from "../support/patient.js";
import type { LabPage } from "../browser/labPage.js";
import { siteLab, untilChecked } from "./siteLab.js";

const exercise = "notebooks/exercises/00-one-knob.ipynb";

describe("the files of the site", function () {
  this.timeout(patient(120_000));
  const shared = sharedSite();
  let context: BrowserContext;
  let lab: LabPage;

  before(async () => {
    context = await shared().browser.newContext();
    lab = await siteLab(context, shared().site, exercise);
  });
  after(() => (context as BrowserContext | undefined)?.close());

  const listed = (name: string): Promise<void> =>
    lab.page
      .locator(".jp-DirListing-itemName", { hasText: new RegExp(`^${name}$`) })
      .waitFor({ timeout: patient(30_000) });

  it("shows what cells have written in the file browser, in its folders, and opens it", async () => {
    const cell = await lab.runNew(
      'import { mkdirSync, writeFileSync } from "node:fs";\n' +
        'writeFileSync("plain.txt", "Grüße, 世界");\nmkdirSync("runs/deep");\n' +
        'writeFileSync("runs/deep/numbers.csv", "x,y\\n1,2\\n");\n' +
        'writeFileSync("bytes.bin", new Uint8Array([0, 255, 128]));\n"written"',
    );
    await lab.says(cell, /written/);
    for (const name of ["runs", "bytes.bin", "plain.txt"]) await listed(name);
    await lab.page.locator(".jp-DirListing-itemName", { hasText: "plain.txt" }).dblclick();
    await lab.page.locator(".jp-FileEditor .cm-line", { hasText: "Grüße, 世界" }).waitFor();
    await lab.page.keyboard.press("Alt+w");
  });

  it("hands an uploaded file to cells: as text, as bytes, as a data frame", async () => {
    const choosing = lab.page.waitForEvent("filechooser");
    await lab.page.locator('[data-jp-item-name="uploader"] jp-button').click();
    await (
      await choosing
    ).setFiles([
      { name: "own.csv", mimeType: "text/csv", buffer: Buffer.from("name,score\nÅsa,3\nBo,4.5\n") },
      { name: "own.bin", mimeType: "application/octet-stream", buffer: Buffer.from([1, 0, 254]) },
    ]);
    await listed("own.csv");
    await listed("own.bin");
    const cell = await lab.runNew(
      'import { readFileSync } from "node:fs";\nimport * as dfd from "danfojs-node";\n' +
        'const frame = await dfd.readCSV("own.csv");\nconst bytes = [...readFileSync("own.bin")];\n' +
        '`${readFileSync("own.csv", "utf8").split("\\n")[1]}; ${bytes.join(".")}; ${frame.shape.join(" by ")}`',
    );
    await lab.says(cell, /Åsa,3; 1\.0\.254; 2 by 2/);
  });

  it("keeps checkpoints and printed text over a reload, and goes on from there", async () => {
    await lab.runNew("%config printed = 1000\n%config printedPerSecond = 1000\n%config printedTail = 1000");
    const cell = await lab.runNew(
      'import { loadCheckpoint, saveCheckpoint, train } from "turnwise";\n' +
        'const run = train({ env: "LookUp-v0", recipe: "grpo", updates: 4, seed: 3 });\n' +
        "for await (const { update } of run) if (update === 2) break;\n" +
        'await saveCheckpoint("runs/kept", run.checkpoint());\n' +
        'for (let i = 0; i < 300; i++) console.log("x".repeat(1_000));\n"saved"',
    );
    await lab.says(cell, /saved/);
    await listed("turnwise-output");
    await lab.page.reload();
    await lab.page.locator(".jp-Toolbar-kernelName", { hasText: "TypeScript (turnwise)" }).waitFor();
    await lab.idle(60_000);
    const again = await lab.runNew(
      'import { readdirSync, readFileSync } from "node:fs";\nimport { loadCheckpoint, train } from "turnwise";\n' +
        'const updates: number[] = [];\nconst resume = (await loadCheckpoint("runs/kept"))!;\n' +
        "for await (const { update } of train({ updates: 4, resume })) updates.push(update);\n" +
        'const [file] = readdirSync("turnwise-output");\n' +
        '`went on: ${updates}; ${readFileSync(`turnwise-output/${file}`, "utf8").split("\\n").length} lines of ${file}`',
    );
    await lab.says(again, /went on: 3,4; 301 lines of 00-one-knob-cell_\d+\.txt/);
  });

  it("tells cells that a file was changed or removed in the file browser", async () => {
    const row = lab.page.locator(".jp-DirListing-item", { hasText: "own.bin" });
    await row.click();
    await lab.page.keyboard.press("Delete");
    await lab.page.locator(".jp-Dialog .jp-mod-warn").click();
    await row.waitFor({ state: "detached" });
    const cell = await lab.runNew(
      'import { existsSync } from "node:fs";\n`own.bin: ${existsSync("own.bin")}, own.csv: ${existsSync("own.csv")}`',
    );
    await lab.says(cell, /own\.bin: false, own\.csv: true/);
  });

  it("has a file that is changed in JupyterLab's editor for the next cell, and for its types", async () => {
    const imported = (use: string): string => `import { own } from "./own";\n${use}`;
    const first = await lab.runNew(
      'import { writeFileSync } from "node:fs";\nwriteFileSync("own.ts", "export const own = 1;");\n"written"',
    );
    await lab.says(first, /written/);
    await lab.says(await lab.runNew(imported("`own is ${own}`")), /own is 1/);
    await listed("own.ts");
    await lab.page.locator(".jp-DirListing-itemName", { hasText: /^own\.ts$/ }).dblclick();
    const editor = lab.page.locator(".jp-FileEditor .cm-content", { hasText: "export const own" });
    await editor.click();
    await lab.page.keyboard.press("Control+a");
    await lab.page.keyboard.insertText('export const own = "text";');
    await lab.page.keyboard.press("Control+s");
    await lab.page
      .locator('.lm-TabBar-tab.lm-mod-current.jp-mod-dirty[title*="own.ts"]')
      .waitFor({ state: "detached" });
    await lab.page.keyboard.press("Alt+w");
    await editor.waitFor({ state: "detached" });
    await lab.says(await lab.runNew(imported("`own is ${own}`")), /own is text/);
    const wrong = await lab.runNew(imported("const number: number = own;"));
    await untilChecked(lab, wrong, "Type 'string' is not assignable to type 'number'");
  });

  it("shows another page of the site what a cell has written", async () => {
    const other = await siteLab(context, shared().site, exercise);
    const cell = await other.runNew(
      'import { writeFileSync } from "node:fs";\nwriteFileSync("told.txt", "by the other");\n"told"',
    );
    await other.says(cell, /told/);
    await other.page.locator(".jp-DirListing-itemName", { hasText: "told.txt" }).waitFor();
    const here = await lab.runNew(
      'import { existsSync, readFileSync } from "node:fs";\n' +
        'while (!existsSync("told.txt")) await new Promise((done) => setTimeout(done, 20));\nreadFileSync("told.txt", "utf8")',
    );
    await lab.says(here, /by the other/);
    await other.page.close();
  });
});
