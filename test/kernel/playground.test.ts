import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject, Message } from "turnwise-kernel";
import { plain, repository, resultText, sharedKernel } from "./with-kernel.js";

describe("playground in a cell", function () {
  this.timeout(180_000);
  const kernel = sharedKernel({ cwd: join(repository, "notebooks") });
  const opened: Message[] = [];
  before(() => {
    kernel().onMessage((message) => {
      if (message.header.msg_type === "comm_open") opened.push(message);
    });
  });

  /** Resolves when a part of the playground that is drawn again has a text like this. */
  const drawn = (words: RegExp): Promise<string> =>
    new Promise((resolve) => {
      const stop = kernel().onMessage(({ header, content }) => {
        if (header.msg_type !== "comm_msg") return;
        const state = ((content.data as JsonObject).state ?? {}) as JsonObject;
        const text = String(state.value).replaceAll("<br>", "\n");
        if (!words.test(text)) return;
        stop();
        resolve(text);
      });
    });
  const widget = (description: string): unknown => {
    const found = opened.find(
      ({ content }) => ((content.data as JsonObject).state as JsonObject).description === description,
    );
    assert.ok(found, `no widget with the label ${description}`);
    return found.content.comm_id;
  };
  const fromFrontEnd = (label: string, data: JsonObject): string =>
    kernel().send("shell", "comm_msg", { comm_id: widget(label), data });
  const click = (label: string): string =>
    fromFrontEnd(label, { method: "custom", content: { event: "click" } });

  it("runs, answers other cells meanwhile, is steered by a slider and pauses", async () => {
    const made = await kernel().execute(
      "import { playground } from 'turnwise';\nconst p = playground({ updates: 1_000_000, start: { seed: 1 } });",
    );
    assert.equal(made.status, "ok", plain(made.error?.traceback));
    // The playground, and the picture of it that stays when it is gone.
    assert.equal(made.outputs.length, 2);
    const [knobs, stored] = made.outputs.map((output) => ("data" in output ? output.data : {}));
    assert.ok("application/vnd.jupyter.widget-view+json" in knobs!);
    assert.match(String(stored!["text/html"]), /To open it, run this cell/);
    assert.match(String(stored!["text/html"]), /paused: LookUp-v0, grpo, update 0/);

    const running = drawn(/▶ running: LookUp-v0, grpo, update [1-9]/);
    const grown = drawn(/ grpo: -?\d\.\d+ after update \d+; the exact optimum is 1\.000/);
    click("run");
    await running;
    await grown;

    assert.equal(resultText(await kernel().execute("p.running && p.records.length > 0")), "true");

    const steered = drawn(/running.*\nchanged: update\.optimizer\.learningRate: 0\.03 → 5/);
    fromFrontEnd("learningRate", { method: "update", state: { value: 5 } });
    await steered;

    const paused = drawn(/❚❚ paused/);
    click("pause");
    await paused;
    assert.equal(resultText(await kernel().execute("p.running")), "false");
  });
});
