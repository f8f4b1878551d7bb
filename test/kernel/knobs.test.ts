import assert from "node:assert/strict";
import type { JsonObject, Message } from "turnwise-kernel";
import { button, log, knobs } from "turnwise-kernel";
import { until } from "../support/process.js";
import { plain, resultText, sharedKernel, started, streamText } from "./with-kernel.js";

describe("knobs outside a session", () => {
  const make = () =>
    knobs({
      learningRate: log(1e-3, 1),
      clipHigh: [0.1, 0.5],
      groupSize: [2, 16],
      recipe: ["grpo", "rloo"],
      exact: true,
      note: "a",
      coef: 0.5,
      reset: button(() => undefined),
    });

  it("are a typed object that starts in the middle of ranges and with the first entry of menus", () => {
    const k = make();
    const rate: number = k.learningRate;
    const name: "grpo" | "rloo" = k.recipe;
    // sqrt(1e-3 * 1)
    assert.ok(Math.abs(rate - 0.0316227766) < 1e-9);
    assert.equal(name, "grpo");
    assert.deepEqual(k.values(), {
      learningRate: rate,
      clipHigh: 0.3,
      groupSize: 9,
      recipe: "grpo",
      exact: true,
      note: "a",
      coef: 0.5,
    });
    assert.equal("reset" in k, false);
  });

  it("tell listeners what changed, once per change, until they unsubscribe", () => {
    const k = make();
    const heard: unknown[] = [];
    const end = k.onChange((values, changed) => heard.push([changed, values[changed]]));
    k.recipe = "rloo";
    k.recipe = "rloo";
    k.clipHigh = 0.2;
    end();
    k.clipHigh = 0.4;
    assert.deepEqual(heard, [
      ["recipe", "rloo"],
      ["clipHigh", 0.2],
    ]);
  });

  it("refuse values outside a knob, ranges that do not increase, empty menus and reserved names", () => {
    const k = make();
    assert.throws(() => (k.clipHigh = 0.6), {
      name: "RangeError",
      message: "Cannot set clipHigh: it must be from 0.1 to 0.5, got 0.6.",
    });
    assert.throws(() => (k.recipe = "ppo" as never), {
      message: 'Cannot set recipe: it must be "grpo" or "rloo", got \'ppo\'.',
    });
    assert.throws(() => (k.exact = 1 as never), {
      message: "Cannot set exact: it must be true or false, got 1.",
    });
    assert.throws(() => knobs({ x: [2, 1] }), {
      message: "Cannot make the knob x: its range must increase, got [2, 1].",
    });
    assert.throws(() => knobs({ x: [] }), {
      message: "Cannot make the knob x: a menu must have an entry, got [].",
    });
    assert.throws(() => log(0, 1), {
      message: "Cannot make a log range: its ends must be above 0 and increase, got 0 and 1.",
    });
    assert.throws(() => knobs({ values: 1 }), {
      message: 'Cannot make knobs: their names must not be onChange, values, show, got "values".',
    });
    assert.throws(() => knobs({ x: 1 }, { start: { y: 2 } as never }), {
      message: 'Cannot start knobs: each value must belong to a knob, got one for "y".',
    });
  });
});

describe("knobs in a cell", function () {
  this.timeout(90_000);
  const kernel = sharedKernel();
  const comms: Message[] = [];
  before(() => {
    kernel().onMessage((message) => {
      if (message.header.msg_type.startsWith("comm_")) comms.push(message);
    });
  });
  beforeEach(() => {
    comms.length = 0;
  });
  const stateOf = (message: Message): JsonObject => (message.content.data as { state: JsonObject }).state;
  const opened = (model: string): { id: unknown; state: JsonObject } => {
    const found = comms.find((m) => m.header.msg_type === "comm_open" && stateOf(m)._model_name === model);
    assert.ok(found, `no comm_open for ${model}`);
    return { id: found.content.comm_id, state: stateOf(found) };
  };
  const fromFrontEnd = (id: unknown, data: JsonObject): string =>
    kernel().send("shell", "comm_msg", { comm_id: id, data });

  it("need no import, are typed, and show sliders, menus and checkboxes with labels", async () => {
    const result = await kernel().execute(
      "const k = knobs({ learningRate: log(1e-3, 1), clipHigh: [0.1, 0.5], recipe: ['grpo', 'rloo'], exact: true },\n" +
        "  { start: { clipHigh: 0.2 } });\n" +
        "const rate: number = k.learningRate; const name: 'grpo' | 'rloo' = k.recipe; k",
    );
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    const slider = opened("FloatLogSliderModel").state;
    assert.deepEqual([slider.description, slider.min, slider.max], ["learningRate", -3, 0]);
    const { id } = opened("FloatSliderModel");
    assert.ok(comms.some((m) => m.content.comm_id === id && stateOf(m).value === 0.2));
    assert.deepEqual(opened("DropdownModel").state._options_labels, ["grpo", "rloo"]);
    assert.equal(opened("CheckboxModel").state.description, "exact");
    const [shown, value] = result.outputs;
    assert.ok(shown && "data" in shown);
    const view = shown.data["application/vnd.jupyter.widget-view+json"] as JsonObject;
    // Widgets are made from the inside out: the last box opened is the one shown.
    assert.equal(view.model_id, comms.at(-1)!.content.comm_id);
    assert.match(
      String(shown.data["text/html"]),
      /<caption>These knobs can be moved where JupyterLab's widget manager runs; .*<th scope="row"[^>]*>clipHigh<\/th><td>0\.2<\/td>/,
    );
    assert.equal(
      resultText({ ...result, outputs: [value!] }),
      "learningRate: 0.03162277660168379, clipHigh: 0.2, recipe: 'grpo', exact: true",
    );
  });

  it("wrong types are refused before the cell runs", async () => {
    const result = await kernel().execute("const wrong: string = k.learningRate;");
    assert.equal(result.status, "error");
    assert.match(plain(result.error?.traceback), /Type 'number' is not assignable to type 'string'/);
  });

  it("a drag in the front end changes the value that an awaited loop sees, and calls onChange", async () => {
    await kernel().execute("const live = knobs({ rate: [0, 10], go: ['wait', 'end'] })");
    const slider = opened("IntSliderModel").id;
    const menu = opened("DropdownModel").id;
    const { result } = await started(
      kernel(),
      "const heard: unknown[] = []; live.onChange((v, name) => heard.push(name, v[name]));\n" +
        "while (live.go !== 'end') await new Promise((r) => setTimeout(r, 5));\n" +
        "console.log(JSON.stringify(heard), live.rate)",
    );
    fromFrontEnd(slider, { method: "update", state: { value: 9 } });
    fromFrontEnd(menu, { method: "update", state: { index: 1 } });
    assert.match(streamText(await result), /\["rate",9,"go","end"\] 9/);
  });

  it("a value between two marks stays as it is when a page shows it at the nearest, and a drag gives a round number", async () => {
    await kernel().execute(
      "const between = knobs({ rate: log(1e-3, 100), part: [0.02, 1] }, { start: { rate: 0.03, part: 0.28 } });\n" +
        "const moves: unknown[] = []; between.onChange((v, name) => moves.push(name, v[name]));",
    );
    const [rate, part] = [opened("FloatLogSliderModel").id, opened("FloatSliderModel").id];
    // 10^-1.52 = 0.0302 is the mark nearest to 0.03; of steps of .0098 from .02 the 27th is .2846, the 26th .2748.
    fromFrontEnd(rate, { method: "update", state: { value: 10 ** -1.52 } });
    fromFrontEnd(part, { method: "update", state: { value: 0.02 + 27 * 0.0098 } });
    assert.equal(
      resultText(await kernel().execute("JSON.stringify([between, moves])")),
      '\'[{"rate":0.03,"part":0.28},[]]\'',
    );
    // 10^-1.5 = 0.031623
    fromFrontEnd(rate, { method: "update", state: { value: 10 ** -1.5 } });
    fromFrontEnd(part, { method: "update", state: { value: 0.1 + 0.2 } });
    assert.equal(
      resultText(await kernel().execute("JSON.stringify(moves)")),
      '\'["rate",0.0316,"part",0.3]\'',
    );
  });

  it("a click on a button calls its function; setting a value moves the control", async () => {
    await kernel().execute(
      "import { button } from 'turnwise-kernel'; let clicks = 0;\n" +
        "const b = knobs({ add: button(() => clicks++), size: [0, 4] });",
    );
    const slider = opened("IntSliderModel").id;
    fromFrontEnd(opened("ButtonModel").id, { method: "custom", content: { event: "click" } });
    // Shell messages keep their order: the cell runs after the click was handled.
    assert.equal(resultText(await kernel().execute("b.size = 4; clicks")), "1");
    const moved = comms.find(
      (m) => m.header.msg_type === "comm_msg" && m.content.comm_id === slider && stateOf(m).value === 4,
    );
    assert.ok(moved);
  });

  it("stand beside objects that are drawn again as HTML, and leave a picture for where the kernel is gone", async () => {
    const result = await kernel().execute(
      "let n = 0; let told = () => {};\n" +
        "const count = {\n" +
        "  [Symbol.for('Jupyter.display')]: () => ({ 'text/html': `<b>${n}</b>` }),\n" +
        "  [Symbol.for('turnwise.live')]: (tell: () => void) => { told = tell; return () => {}; } };\n" +
        "const stays = { [Symbol.for('Jupyter.display')]: () => ({ 'text/html': '<p>run me</p>', 'text/plain': 'run me' }) };\n" +
        "const panel = knobs({ size: [0, 4] }, { beside: [count], stored: stays });",
    );
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    const [shown, picture] = result.outputs.map((output) => ("data" in output ? output.data : {}));
    const view = shown!["application/vnd.jupyter.widget-view+json"] as JsonObject;
    // Where it cannot be moved it says nothing, as the picture stands in its place.
    assert.equal(shown!["text/html"], "<div></div>");
    // The page hides the picture by the class of the living box.
    const id = String(view.model_id);
    assert.ok(
      comms.some(
        (m) =>
          m.content.comm_id === id && JSON.stringify(stateOf(m)._dom_classes) === `["turnwise-live-${id}"]`,
      ),
    );
    assert.match(
      String(picture!["text/html"]),
      new RegExp(`^<div class="turnwise-stored-${id}"><style>.*</style><p>run me</p></div>$`),
    );
    const { id: html } = opened("HTMLModel");
    await kernel().execute("n = 7; told()");
    await until("the new picture", () =>
      comms.some((m) => m.content.comm_id === html && stateOf(m).value === "<b>7</b>"),
    );
  });

  it("a button changes its label, stands out, and is again as it was", async () => {
    await kernel().execute(
      "import { button as press } from 'turnwise-kernel'; let change = (_: object) => {};\n" +
        "const c = knobs({ start: { ...press(() => {}), look: { tooltip: 'begins' }, follow: (f) => (change = f) }, size: [0, 4] });",
    );
    const { id, state } = opened("ButtonModel");
    assert.deepEqual([state.description, state.tooltip, state.button_style], ["start", "begins", ""]);
    await kernel().execute("change({ label: 'start to apply', marked: true }); change({});");
    const changes = comms.filter((m) => m.header.msg_type === "comm_msg" && m.content.comm_id === id);
    assert.deepEqual(changes.map(stateOf), [
      { description: "start to apply", button_style: "warning" },
      { description: "start", button_style: "" },
    ]);
  });
});
