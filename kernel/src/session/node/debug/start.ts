import { Session } from "node:inspector";
import type { JsonObject } from "../../../protocol/message.js";
import { slot } from "../../state.js";
import { DebugAdapter } from "./adapter.js";
import { membersOf } from "./members.js";
import type { Paused, Post } from "./inspector.js";

/** The debugger of a session. */
export interface SessionDebugger {
  adapter: DebugAdapter;
  /** The names of what a value has, by its expression. */
  members(expression: string): Promise<string[]>;
  /** Disconnects from the main thread; Node does not exit before. */
  disconnect(): void;
}

/** Interval at which this thread looks for answers of the main thread. */
const lookMs = 20;

/** Connects the debugger to the main thread at the first request. */
export function startDebugger(
  state: Int32Array,
  builtIn: readonly string[],
  o: { emit(event: JsonObject): void; interrupting(): boolean },
): SessionDebugger {
  let session: Session | undefined;
  let unanswered = 0;
  let isStarted = false;
  let looking: NodeJS.Timeout | undefined;
  // On Node 26 an answer now and then does not wake the thread that waits for it: it came with the next message, if any.
  const look = (): void => {
    if (unanswered > 0 || isStarted) return void (looking ??= setInterval(() => undefined, lookMs));
    clearInterval(looking);
    looking = undefined;
  };
  const connect = (): Session => {
    const connected = new Session();
    connected.connectToMainThread();
    connected.on("Debugger.paused", ({ params }) => adapter.onPaused(params as unknown as Paused));
    connected.on("Debugger.resumed", () => adapter.onResumed());
    connected.on("Debugger.scriptParsed", ({ params }) => adapter.onScript(params.scriptId, params.url));
    return connected;
  };
  const post: Post = (method, parameters = {}) =>
    new Promise((resolve, reject) => {
      session ??= connect();
      unanswered++;
      look();
      session.post(method, parameters, (error: Error | null, result?: object) => {
        unanswered--;
        look();
        if (error) reject(new Error(error.message));
        else resolve((result ?? {}) as JsonObject);
      });
    });
  const adapter: DebugAdapter = new DebugAdapter(post, new Set(builtIn), {
    ...o,
    onStarted: (started) => {
      isStarted = started;
      look();
      Atomics.store(state, slot.debugging, started ? 1 : 0);
    },
  });
  return {
    adapter,
    members: (expression) => membersOf(expression, post),
    disconnect: () => session?.disconnect(),
  };
}
