import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject, Message } from "turnwise-kernel";
import { deserialize, serialize } from "turnwise-kernel/dist/widgets/serialize.js";
import { patient } from "../support/patient.js";
import { host, plain, repository, resultText, sharedKernel, started, streamText } from "./with-kernel.js";

describe("widget states on the wire", () => {
  it("carry binary values as buffers, removed from objects and null in lists, and come back whole", () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const wire = serialize({ a: 1, image: bytes, list: [0, bytes], deep: { x: bytes } }, () => undefined);
    assert.deepEqual(wire.state, { a: 1, list: [0, null], deep: {} });
    assert.deepEqual(wire.bufferPaths, [["image"], ["list", 1], ["deep", "x"]]);
    const back = deserialize(wire.state, wire.bufferPaths, wire.buffers, () => undefined);
    assert.deepEqual(back, { a: 1, image: bytes, list: [0, bytes], deep: { x: bytes } });
  });

  it("carry a whole buffer, and what an object says it is in JSON", () => {
    const wire = serialize({ raw: new Uint8Array([1, 2]).buffer, day: new Date(0) }, () => undefined);
    assert.deepEqual(wire, {
      state: { day: "1970-01-01T00:00:00.000Z" },
      bufferPaths: [["raw"]],
      buffers: [new Uint8Array([1, 2])],
    });
  });

  it("name other widgets by reference", () => {
    const child = { child: true };
    const wire = serialize({ children: [child] }, (value) => (value === child ? "42" : undefined));
    assert.deepEqual(wire.state, { children: ["IPY_MODEL_42"] });
    assert.deepEqual(
      deserialize(wire.state, [], [], (id) => (id === "42" ? child : undefined)),
      { children: [child] },
    );
  });
});

describe("widgets", function () {
  this.timeout(90_000);
  const kernel = sharedKernel({ env: { ...process.env, TURNWISE_TYPES: "off" } });
  const comms: Message[] = [];
  before(async () => {
    kernel().onMessage((message) => {
      if (message.header.msg_type.startsWith("comm_")) comms.push(message);
    });
    const setup = await kernel().execute("import { widgets } from 'turnwise-kernel'");
    assert.equal(setup.status, "ok", plain(setup.error?.traceback));
  });
  beforeEach(() => {
    comms.length = 0;
  });

  const run = async (code: string): Promise<string | undefined> => {
    const result = await kernel().execute(code);
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    return resultText(result);
  };
  const opened = (model: string): Message => {
    const found = comms.find(
      ({ content }) => ((content.data as JsonObject).state as JsonObject | undefined)?._model_name === model,
    );
    assert.ok(found, `no comm_open for ${model}`);
    return found;
  };
  const fromFrontEnd = (id: unknown, data: JsonObject, buffers: Buffer[] = []): string =>
    kernel().send("shell", "comm_msg", { comm_id: id, data }, { buffers });
  const messagesTo = (id: unknown, method: string): JsonObject[] =>
    comms
      .filter(({ content }) => content.comm_id === id && (content.data as JsonObject).method === method)
      .map(({ content }) => (content.data as JsonObject).state as JsonObject);

  it("open one comm for each model, its layout and its style, and show by model id", async () => {
    const result = await kernel().execute(
      "const slider = new widgets.IntSlider({ value: 7, max: 50, description: 'lr' }); slider",
    );
    const open = opened("IntSliderModel");
    assert.equal(open.content.target_name, "jupyter.widget");
    assert.deepEqual(open.metadata, { version: "2.1.0" });
    const state = (open.content.data as { state: JsonObject }).state;
    assert.equal(state.value, 7);
    assert.equal(state._view_module, "@jupyter-widgets/controls");
    assert.equal(state.layout, `IPY_MODEL_${String(opened("LayoutModel").content.comm_id)}`);
    assert.equal(state.style, `IPY_MODEL_${String(opened("SliderStyleModel").content.comm_id)}`);
    const output = result.outputs[0]!;
    assert.ok("data" in output);
    assert.deepEqual(output.data["application/vnd.jupyter.widget-view+json"], {
      version_major: 2,
      version_minor: 0,
      model_id: open.content.comm_id,
    });
    assert.equal(output.data["text/plain"], "IntSlider({ value: 7, description: 'lr' })");
  });

  it("are listed by comm_info, by target", async () => {
    const ask = async (target?: string): Promise<string[]> =>
      Object.keys(
        (await kernel().request("shell", "comm_info_request", { target_name: target })).content
          .comms as JsonObject,
      );
    assert.ok((await ask("jupyter.widget")).length >= 3);
    assert.deepEqual(await ask("other"), []);
  });

  it("send a changed trait, take changes of the front end, echo them, and call observers", async () => {
    await run(
      "const watched = new widgets.IntSlider({ value: 1 }); const seen: number[] = []; watched.observe('value', (v) => { seen.push(v) })",
    );
    const id = opened("IntSliderModel").content.comm_id;
    await run("watched.value = 5");
    assert.deepEqual(messagesTo(id, "update"), [{ value: 5 }]);
    fromFrontEnd(id, { method: "update", state: { value: 9 }, buffer_paths: [] });
    assert.equal(await run("seen.join() + '/' + watched.value"), "'5,9/9'");
    assert.deepEqual(messagesTo(id, "echo_update"), [{ value: 9 }]);
    assert.deepEqual(
      messagesTo(id, "update"),
      [{ value: 5 }],
      "no second update for a change that came from there",
    );
  });

  it("give each comm message an immediate busy and idle status, even while a loop blocks", async () => {
    await run("const idle = new widgets.IntSlider()");
    const id = opened("IntSliderModel").content.comm_id;
    const { result } = await started(kernel(), "while (true) {}");
    const states: unknown[] = [];
    let message = "";
    const done = new Promise<void>((resolve) => {
      const stop = kernel().onMessage((one) => {
        if (one.parent.msg_id !== message || one.header.msg_type !== "status") return;
        states.push(one.content.execution_state);
        if (states.length < 2) return;
        stop();
        resolve();
      });
    });
    message = fromFrontEnd(id, { method: "update", state: { value: 3 }, buffer_paths: [] });
    await done;
    assert.deepEqual(states, ["busy", "idle"]);
    await kernel().interrupt();
    await result;
  });

  it("steer an awaited loop and, with pollEvents, a synchronous one", async () => {
    for (const [code, title] of [
      [
        "for (;;) { if (knob.value === 8) break; await new Promise(r => setTimeout(r, 5)) }\nknob.value",
        "awaited",
      ],
      ["for (;;) { if (knob.value === 8) break; widgets.pollEvents() }\nknob.value", "synchronous"],
    ]) {
      comms.length = 0;
      await run("const knob = new widgets.IntSlider({ value: 0 })");
      const id = opened("IntSliderModel").content.comm_id;
      const { result } = await started(kernel(), code!);
      fromFrontEnd(id, { method: "update", state: { value: 8 }, buffer_paths: [] });
      const ended = await Promise.race([result, sleep(patient(30_000), undefined, { ref: false })]);
      assert.ok(ended, `the ${title} loop has seen the slider`);
      assert.equal(resultText(ended), "8");
    }
  });

  it("report clicks, and errors of handlers without affecting other handlers", async () => {
    await run(
      "const button = new widgets.Button({ description: 'go' }); let clicks = 0; button.on('click', () => { throw new Error('handler') }); button.on('click', () => { clicks++ })",
    );
    fromFrontEnd(opened("ButtonModel").content.comm_id, { method: "custom", content: { event: "click" } });
    assert.equal(await run("clicks"), "1");
  });

  it("carry binary traits both ways", async () => {
    await run("const picture = new widgets.ImageView({ value: new Uint8Array([1, 2, 3]) })");
    const open = opened("ImageModel");
    assert.deepEqual((open.content.data as JsonObject).buffer_paths, [["value"]]);
    assert.deepEqual(
      open.buffers.map((buffer) => [...buffer]),
      [[1, 2, 3]],
    );
    fromFrontEnd(open.content.comm_id, { method: "update", state: {}, buffer_paths: [["value"]] }, [
      Buffer.from([4, 5]),
    ]);
    assert.equal(await run("[...picture.value].join()"), "'4,5'");
  });

  it("come back when a page is reloaded", async () => {
    await run("const again = new widgets.FloatText({ value: 2.5 })");
    const id = String(opened("FloatTextModel").content.comm_id);
    kernel().send("shell", "comm_open", {
      comm_id: "control",
      target_name: "jupyter.widget.control",
      data: {},
    });
    fromFrontEnd("control", { method: "request_states" });
    await run("0");
    const reply = comms.find(({ content }) => (content.data as JsonObject).method === "update_states")!;
    const states = (
      reply.content.data as { states: Record<string, { model_name: string; state: JsonObject }> }
    ).states;
    assert.equal(states[id]!.model_name, "FloatTextModel");
    assert.equal(states[id]!.state.value, 2.5);
  });

  it("offer menus by value, and refuse a value that is not an option", async () => {
    await run("const menu = widgets.dropdown({ options: { slow: 0.1, fast: 0.5 }, value: 0.5 })");
    const open = opened("DropdownModel");
    const state = (open.content.data as { state: JsonObject }).state;
    assert.deepEqual([state._options_labels, state.index], [["slow", "fast"], 1]);
    fromFrontEnd(open.content.comm_id, { method: "update", state: { index: 0 }, buffer_paths: [] });
    assert.equal(await run("menu.value"), "0.1");
    const refused = await kernel().execute("menu.value = 9");
    assert.equal(refused.error!.evalue, "Cannot select a value: it must be one of the options, got 9.");
  });

  it("build controls for a function with interact, and put its output into an Output widget", async () => {
    const result = await kernel().execute(
      "const calls: string[] = []; widgets.interact(({ n, on }: any) => { calls.push(n + ':' + on); console.log('drawn') }, { n: [0, 10], on: true }); 0",
    );
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    const slider = opened("IntSliderModel");
    fromFrontEnd(slider.content.comm_id, { method: "update", state: { value: 2 }, buffer_paths: [] });
    assert.equal(await run("calls.join()"), "'5:true,2:true'");
    const shown = messagesTo(opened("OutputModel").content.comm_id, "update");
    const line = { output_type: "stream", name: "stdout", text: "drawn\n" };
    assert.deepEqual(shown, [{ outputs: [line] }, { outputs: [line] }], "each run replaces the one before");
    assert.deepEqual(
      result.outputs.map((output) => output.output_type),
      ["display_data", "execute_result"],
    );
  });

  it("capture what a function prints, displays and updates, and let the rest through", async () => {
    const result = await kernel().execute(
      `const box = new widgets.Output(); console.log("before");
widgets.capture(box, () => { const id = display(md\`one\`); console.log("in"); display(md\`two\`, { id, update: true }) });
try { widgets.capture(box, () => { console.log("again"); throw new Error("out") }) } catch (e) { console.log(e.message) }`,
    );
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    assert.equal(streamText(result), "before\nout\n");
    const states = messagesTo(opened("OutputModel").content.comm_id, "update");
    const two = { "text/markdown": "two", "text/plain": "two" };
    assert.deepEqual(states.at(-1), {
      outputs: [
        { output_type: "display_data", data: two, metadata: {} },
        { output_type: "stream", name: "stdout", text: "in\nagain\n" },
      ],
    });
  });

  it("show an error of interact's function beside its controls", async () => {
    await run("widgets.interact(() => { throw new Error('no such run') }, { n: 3 }); 0");
    const [state] = messagesTo(opened("OutputModel").content.comm_id, "update") as unknown as {
      outputs: { name: string; text: string }[];
    }[];
    assert.equal(state!.outputs[0]!.name, "stderr");
    assert.match(state!.outputs[0]!.text, /no such run/);
  });

  it("draw again in the same place with redraw, keep the last drawing when it fails, and take a menu's value", async () => {
    const updated: JsonObject[] = [];
    const stop = kernel().onMessage(({ header, content }) => {
      if (header.msg_type === "update_display_data") updated.push(content.data as JsonObject);
    });
    const result = await kernel().execute(
      `const dials = { n: new widgets.IntSlider({ value: 2, max: 9 }), unit: widgets.dropdown({ options: { meter: "m", second: "s" } }) };
widgets.redraw(dials, ({ n, unit }) => { if (n > 5) throw new Error("too high"); return md\`\${n} \${unit}\` })`,
    );
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    assert.deepEqual(
      result.outputs.map((output) => output.output_type),
      ["display_data", "execute_result"],
    );
    assert.equal((result.outputs[0] as { data: JsonObject }).data["text/markdown"], "2 m");
    const slider = opened("IntSliderModel").content.comm_id;
    const move = (value: number): string =>
      fromFrontEnd(slider, { method: "update", state: { value }, buffer_paths: [] });
    move(3);
    fromFrontEnd(opened("DropdownModel").content.comm_id, {
      method: "update",
      state: { index: 1 },
      buffer_paths: [],
    });
    move(7);
    move(4);
    assert.equal(await run("dials.n.value"), "4");
    stop();
    assert.deepEqual(
      updated.map((data) => data["text/markdown"]),
      ["3 m", "3 s", "4 s"],
    );
  });

  it("keep two traits linked, and refuse an unknown trait", async () => {
    assert.equal(
      await run(
        "const l1 = new widgets.IntSlider({ value: 3 }), l2 = new widgets.IntText(); widgets.link(l1, 'value', l2, 'value'); l2.value = 8; [l1.value, l2.value].join()",
      ),
      "'8,8'",
    );
    const wrong = await kernel().execute("new widgets.IntSlider({ color: 'red' } as any)");
    assert.equal(wrong.error!.evalue, 'Cannot set a trait of IntSlider: it has no trait "color".');
  });

  it("answer a request for their state with all of it, also which model and view they are", async () => {
    await run("const asked = new widgets.IntText({ value: 4 })");
    const id = opened("IntTextModel").content.comm_id;
    fromFrontEnd(id, { method: "request_state" });
    await run("0");
    const [state] = messagesTo(id, "update");
    assert.equal(state!.value, 4);
    assert.equal(state!._model_name, "IntTextModel");
    assert.equal(state!._view_module, "@jupyter-widgets/controls");
  });

  it("call observers when all traits of a message have changed", async () => {
    await run(
      "const pair = new widgets.IntRangeSlider(); const both: unknown[] = []; pair.observe('description', () => { both.push(pair.get('value')) })",
    );
    const state = { description: "new", value: [1, 2] };
    fromFrontEnd(opened("IntRangeSliderModel").content.comm_id, {
      method: "update",
      state,
      buffer_paths: [],
    });
    assert.equal(await run("JSON.stringify(both)"), "'[[1,2]]'");
  });

  it("are sent nothing once the front end has closed them", async () => {
    await run("const shut = new widgets.IntText({ value: 4 })");
    const id = opened("IntTextModel").content.comm_id;
    kernel().send("shell", "comm_close", { comm_id: id, data: {} });
    assert.equal(await run("shut.value = 5; shut.send({ event: 'x' }); shut.value"), "5");
    assert.deepEqual(messagesTo(id, "update"), []);
  });

  it("take a model that the front end has made, and refuse another version of the protocol", async () => {
    const made = (id: string, version: string): string =>
      kernel().send(
        "shell",
        "comm_open",
        {
          comm_id: id,
          target_name: "jupyter.widget",
          data: { state: { _model_module: "m", _model_name: "MineModel", n: 3 }, buffer_paths: [["b"]] },
        },
        { metadata: { version }, buffers: [Buffer.of(9)] },
      );
    made("mine", "2.1.0");
    made("old", "1.0.0");
    fromFrontEnd("mine", { method: "update", state: { n: 4 }, buffer_paths: [] });
    fromFrontEnd("mine", { method: "request_state" });
    await run("0");
    assert.deepEqual(
      comms.filter(({ content }) => content.comm_id === "old").map(({ header }) => header.msg_type),
      ["comm_close"],
    );
    const [state] = messagesTo("mine", "update");
    assert.deepEqual([state!.n, state!._model_name, state!._view_name], [4, "MineModel", null]);
    const answer = comms.find(
      ({ content }) => content.comm_id === "mine" && (content.data as JsonObject).method === "update",
    )!;
    assert.deepEqual(
      [(answer.content.data as JsonObject).buffer_paths, answer.buffers],
      [[["b"]], [Buffer.of(9)]],
    );
  });

  it("are anywidget's: module, style and state open, and get, set, save_changes, on, off and send are its model's", async () => {
    await run(`const inner = new widgets.IntText(); const any = widgets.anyWidget({
  esm: "export default { render({ model, el }) {} }", css: ".x {}",
  state: { n: 0, bytes: new Uint8Array([1]), inner },
  commands: { add: (message: any, buffers) => [message + buffers[0]![0]!, [Uint8Array.of(8)]], plain: async () => "ok" },
});
const log: unknown[] = []; const onN = () => { log.push(any.n) };
any.on("change:n", onN); any.on("msg:custom", (content, buffers) => { log.push([content, ...buffers.map((one) => [...one])]) });`);
    const open = opened("AnyModel");
    const { state, buffer_paths: paths } = open.content.data as { state: JsonObject; buffer_paths: unknown };
    assert.equal(state._model_module, "anywidget");
    assert.equal(state._view_name, "AnyView");
    assert.equal(state._esm, "export default { render({ model, el }) {} }");
    assert.equal(state._css, ".x {}");
    assert.match(String(state._anywidget_id), /^turnwise\./);
    assert.equal(state.n, 0);
    assert.equal(state.inner, `IPY_MODEL_${String(opened("IntTextModel").content.comm_id)}`);
    assert.deepEqual([paths, open.buffers], [[["bytes"]], [Buffer.of(1)]]);
    const id = open.content.comm_id;
    await run("any.set('n', 1); any.set('n', 2)");
    assert.deepEqual(messagesTo(id, "update"), []);
    await run("any.save_changes(); any.save_changes(); any.n = 3; any.set({ n: 4 })");
    assert.deepEqual(messagesTo(id, "update"), [{ n: 2 }, { n: 3 }, { n: 4 }]);
    await run("any.send({ hello: 1 }, [Uint8Array.of(5)]); any.send([2], undefined, [new ArrayBuffer(1)])");
    const custom = comms.filter(
      ({ content }) => content.comm_id === id && (content.data as JsonObject).method === "custom",
    );
    assert.deepEqual(
      custom.map(({ content, buffers }) => [(content.data as JsonObject).content, buffers]),
      [
        [{ hello: 1 }, [Buffer.of(5)]],
        [[2], [Buffer.of(0)]],
      ],
    );
    fromFrontEnd(id, { method: "update", state: { n: 7 }, buffer_paths: [] });
    fromFrontEnd(id, { method: "custom", content: "any JSON" }, [Buffer.of(6)]);
    await run("any.off('change:n', onN); any.n = 8; any.off(); any.off('no such event')");
    fromFrontEnd(id, { method: "custom", content: { event: "unheard" } });
    assert.equal(await run("JSON.stringify(log)"), `'[1,2,3,4,7,["any JSON",[6]]]'`);
    comms.length = 0;
    const call = (name: string): string =>
      fromFrontEnd(
        id,
        { method: "custom", content: { kind: "anywidget-command", id: name, name, msg: 40 } },
        [Buffer.of(2)],
      );
    call("add");
    call("plain");
    await run("await 0");
    const kind = "anywidget-command-response";
    assert.deepEqual(
      comms.map(({ content, buffers }) => [(content.data as JsonObject).content, buffers]),
      [
        [{ id: "add", kind, response: 42 }, [Buffer.of(8)]],
        [{ id: "plain", kind, response: "ok" }, []],
      ],
    );
    const wrong = await kernel().execute("any.on('change:m', () => {})");
    assert.equal(wrong.error!.evalue, 'Cannot listen to a trait of AnyWidget: it has no trait "m".');
  });

  it("of one module have one name, and a module may be a file", async () => {
    await run('for (let i = 0; i < 2; i++) widgets.anyWidget({ esm: "export default {}" })');
    const states = comms
      .map(({ content }) => (content.data as JsonObject).state as JsonObject)
      .filter((state) => state?._model_name === "AnyModel");
    assert.deepEqual(
      states.map(({ _esm }) => _esm),
      ["export default {}", "export default {}"],
    );
    assert.equal(states[0]!._anywidget_id, states[1]!._anywidget_id);
    if (host === "node") {
      await run(
        `widgets.anyWidget({ esm: new URL("file://${join(repository, "kernel", "package.json")}") })`,
      );
      assert.match(JSON.stringify(comms.at(-1)!.content), /turnwise-kernel/);
    }
    const wrong = await kernel().execute("widgets.anyWidget({ esm: 1 as any })");
    assert.equal(
      wrong.error!.evalue,
      "Cannot make the widget: esm must be the text of a module or a URL, got number.",
    );
  });
});
