import assert from "node:assert/strict";
import type { JsonObject, Message } from "turnwise-kernel";
import { until } from "../support/process.js";
import { resultText, sharedKernel } from "./with-kernel.js";

// What the notebook editor of Visual Studio Code sends, in its order and with its contents; read from vscode-jupyter as of July 2026
// (kernels/raw/session/rawKernelConnection.node.ts, kernels/helpers.ts, kernels/execution/cellExecution.ts,
// standalone/intellisense, notebooks/controllers/ipywidgets). Its view of variables asks Python kernels alone.

type Channel = "shell" | "control";

describe("Visual Studio Code's notebook client", function () {
  this.timeout(60_000);
  const kernel = sharedKernel();
  const told: Message[] = [];
  before(() => {
    kernel().onMessage((message) => told.push(message));
  });

  /** Sends a request as it does; the transcript has its status, its outputs and its reply, in the order of IOPub. */
  async function send(
    channel: Channel,
    type: string,
    content: JsonObject,
    metadata: JsonObject = {},
  ): Promise<{ transcript: string; reply: JsonObject }> {
    const id = kernel().send(channel, type, content, { metadata });
    const reply = await kernel().reply(id, type, 30_000);
    const own = (): Message[] => told.filter(({ parent }) => parent.msg_id === id);
    await until("idle", () => own().some(({ content }) => content.execution_state === "idle"));
    const lines = own().map(({ header, content }) => {
      if (header.msg_type === "status") return String(content.execution_state);
      if (header.msg_type === "stream") return `stream ${String(content.name)}`;
      return content.execution_count === undefined
        ? header.msg_type
        : `${header.msg_type} [${String(content.execution_count)}]`;
    });
    return { transcript: [...lines, reply.header.msg_type].join(", "), reply: reply.content };
  }

  const cellId = "vscode-notebook-cell:/home/me/a.ipynb#W0sZmlsZQ==";
  /** A cell of the notebook. */
  const cell = (code: string): ReturnType<typeof send> =>
    send(
      "shell",
      "execute_request",
      {
        code,
        silent: false,
        stop_on_error: false,
        allow_stdin: true,
        store_history: true,
        user_expressions: {},
      },
      { cellId, trusted: true },
    );
  /** Code of the editor itself: start-up commands, and what other extensions run. */
  const own = (code: string, allowStdin: boolean): ReturnType<typeof send> =>
    send("shell", "execute_request", {
      code,
      silent: false,
      stop_on_error: false,
      allow_stdin: allowStdin,
      store_history: false,
      user_expressions: {},
    });

  it("finds the kernel ready by both channels", async () => {
    for (const channel of ["control", "shell"] as const) {
      const { transcript, reply } = await send(channel, "kernel_info_request", {});
      assert.equal(transcript, "busy, idle, kernel_info_reply");
      assert.equal(reply.status, "ok");
      // By this name it chooses the language of the cells.
      assert.equal((reply.language_info as JsonObject).name, "typescript");
      assert.equal((reply.language_info as JsonObject).file_extension, ".ts");
    }
    const comms = await send("shell", "comm_info_request", { target_name: "jupyter.widget" });
    assert.deepEqual(comms.reply, { status: "ok", comms: {} });
  });

  it("runs its own code without a number, a place in the history, or a trace in In and Out", async () => {
    const start = await own("var fromStart = 41; fromStart", true);
    assert.equal(start.transcript, "busy, execute_input [0], execute_result [0], idle, execute_reply");
    const failed = await own("nothingThere", false);
    assert.equal(failed.transcript, "busy, execute_input [0], error, idle, execute_reply");
    const first = await cell("const rate: number = 0.5\nconsole.log('a'); console.error('b'); rate");
    assert.equal(
      first.transcript,
      "busy, execute_input [1], stream stdout, stream stderr, execute_result [1], idle, execute_reply",
    );
    assert.equal(
      resultText(await kernel().execute("Object.keys(In).join()", { storeHistory: false })),
      "'1'",
    );
    const { reply } = await send("shell", "history_request", {
      hist_access_type: "tail",
      n: 10,
      raw: true,
      output: false,
      unique: false,
    });
    const lines = (reply.history as [number, number, string][]).map(([, line, code]) => [line, code]);
    assert.deepEqual(lines.at(-1), [
      1,
      "const rate: number = 0.5\nconsole.log('a'); console.error('b'); rate",
    ]);
  });

  it("sends on after an error, as it holds the queue itself", async () => {
    const [bad, good] = await Promise.all([cell("throw new Error('no')"), cell("rate * 2")]);
    assert.equal(bad.transcript, "busy, execute_input [2], error, idle, execute_reply");
    assert.equal(bad.reply.ename, "Error");
    assert.equal(good.transcript, "busy, execute_input [3], execute_result [3], idle, execute_reply");
  });

  it("completes with a kind, a text and a range for each match, and resolves one by an inspection", async () => {
    const code = "[rate].ma";
    const { reply } = await send("shell", "complete_request", { code, cursor_pos: code.length });
    const matches = reply.matches as string[];
    const typed = (reply.metadata as { _jupyter_types_experimental: JsonObject[] })
      ._jupyter_types_experimental;
    // It takes the second list only if that is as long as the first.
    assert.equal(typed.length, matches.length);
    assert.deepEqual(typed[matches.indexOf("map")], { text: "map", type: "method", start: 7, end: 9 });
    assert.deepEqual([reply.cursor_start, reply.cursor_end], [7, 9]);
    // The item takes the place of what was typed; the cursor stands behind it.
    const inspect = await send("shell", "inspect_request", {
      code: "[rate].map",
      cursor_pos: 10,
      detail_level: 0,
    });
    assert.equal(inspect.reply.found, true);
    assert.match(
      (inspect.reply.data as Record<string, string>)["text/plain"]!,
      /Calls a defined callback function/,
    );
  });

  it("interrupts by a message on the control channel, once and without a reply in the cell's way", async () => {
    const id = kernel().send("shell", "execute_request", {
      code: "let turns = 0\nconsole.log('on'); for (;;) turns++",
      silent: false,
      stop_on_error: false,
      allow_stdin: true,
      store_history: true,
    });
    const answered = kernel().reply(id, "the cell", 30_000);
    await until("its first line", () =>
      told.some(({ header, parent }) => parent.msg_id === id && header.msg_type === "stream"),
    );
    const interrupt = await send("control", "interrupt_request", {});
    assert.equal(interrupt.reply.status, "ok");
    assert.equal((await answered).content.ename, "KernelInterrupt");
    assert.match((await cell("turns > 0")).transcript, /execute_result/);
  });

  it("asks for input, as every cell of it allows", async () => {
    const result = await kernel().execute("await input('name? ')", {
      allowStdin: true,
      onInput: () => "Ada",
    });
    assert.equal(resultText(result), "'Ada'");
  });

  it("shows a widget by its view and asks for the state of all by the control comm", async () => {
    const shown = await cell(
      "import { widgets } from 'turnwise-kernel'\nnew widgets.IntSlider({ value: 3 })",
    );
    assert.match(shown.transcript, /comm_open.*execute_result/);
    const { reply } = await send("shell", "comm_info_request", { target_name: "jupyter.widget" });
    assert.ok(Object.keys(reply.comms as JsonObject).length >= 3, "control, layout and style");
  });

  it("shuts down and restarts by the control channel, and finds a fresh kernel", async () => {
    await kernel().shutdown({ restart: true });
    const { reply } = await send("control", "kernel_info_request", {});
    assert.equal(reply.status, "ok");
    const { reply: fresh, transcript } = await cell("fromStart");
    assert.equal(fresh.status, "error", "the type check knows no such name");
    assert.equal(transcript, "busy, execute_input [1], error, idle, execute_reply");
  });
});
