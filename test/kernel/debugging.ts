import assert from "node:assert/strict";
import type { JsonObject, KernelClient, Message } from "turnwise-kernel";

/** The requests and events of a debugger, for the tests of one `describe`. */
export interface TestDebugger {
  ask(command: string, args?: JsonObject): Promise<JsonObject>;
  /** The body of a response that must be a success. */
  body<T = JsonObject>(command: string, args?: JsonObject): Promise<T>;
  /** The next event of a kind; earlier ones of other kinds are passed over. */
  next(name: string): Promise<JsonObject>;
  where(): Promise<{ line: number; name: string; path: string }>;
  /** The variables of a scope of the top frame, by name. */
  scope(name: string): Promise<Record<string, string>>;
  reference(scope: string): Promise<number>;
  breakAt(code: string, ...lines: number[]): Promise<string>;
}

/** Speaks the Debug Adapter Protocol with a kernel, as front ends do. */
export function debuggerOf(kernel: () => KernelClient): TestDebugger {
  let seq = 0;
  const events: JsonObject[] = [];
  let onEvent: () => void = () => undefined;

  before(() => {
    kernel().onMessage(({ header, content }: Message) => {
      if (header.msg_type !== "debug_event") return;
      events.push(content);
      onEvent();
    });
  });

  async function ask(command: string, args: JsonObject = {}): Promise<JsonObject> {
    const { content } = await kernel().request("control", "debug_request", {
      type: "request",
      seq: ++seq,
      command,
      arguments: args,
    });
    assert.equal(content.type, "response");
    assert.equal(content.command, command);
    assert.equal(content.request_seq, seq);
    return content;
  }
  async function body<T = JsonObject>(command: string, args: JsonObject = {}): Promise<T> {
    const content = await ask(command, args);
    assert.equal(content.success, true, String(content.message));
    return content.body as T;
  }
  async function next(name: string): Promise<JsonObject> {
    for (;;) {
      const event = events.shift();
      if (event?.event === name) return event.body as JsonObject;
      if (!event) {
        await new Promise<void>((resolve) => {
          onEvent = resolve;
        });
      }
    }
  }
  async function where(): Promise<{ line: number; name: string; path: string }> {
    const { stackFrames } = await body<{
      stackFrames: { line: number; name: string; source: { path: string } }[];
    }>("stackTrace", { threadId: 1 });
    const { line, name, source } = stackFrames[0]!;
    return { line, name, path: source.path };
  }
  async function reference(name: string): Promise<number> {
    const { scopes } = await body<{ scopes: { name: string; variablesReference: number }[] }>("scopes", {
      frameId: 1,
    });
    const found = scopes.find((one) => one.name === name);
    assert.ok(found, `${name} in ${scopes.map((one) => one.name).join()}`);
    return found.variablesReference;
  }
  async function scope(name: string): Promise<Record<string, string>> {
    const { variables } = await body<{ variables: { name: string; value: string }[] }>("variables", {
      variablesReference: await reference(name),
    });
    return Object.fromEntries(variables.map((one) => [one.name, one.value]));
  }
  async function breakAt(code: string, ...lines: number[]): Promise<string> {
    const { sourcePath } = await body<{ sourcePath: string }>("dumpCell", { code });
    const { breakpoints } = await body<{ breakpoints: { verified: boolean; line: number }[] }>(
      "setBreakpoints",
      {
        source: { path: sourcePath },
        breakpoints: lines.map((line) => ({ line })),
      },
    );
    assert.deepEqual(
      breakpoints.map(({ line, verified }) => [line, verified]),
      lines.map((line) => [line, true]),
    );
    return sourcePath;
  }
  return { ask, body, next, where, scope, reference, breakAt };
}
