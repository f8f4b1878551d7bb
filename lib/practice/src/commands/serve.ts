import { Complaint } from "turnwise/internal/command/contract";
import { command } from "turnwise/internal/command/options";

/** Environment variable for a token that other users of the machine must not see in the list of processes. */
const tokenVariable = "TURNWISE_SERVE_TOKEN";

export const run = command({
  about: `Serves one world by OpenEnv's protocol: WebSocket /ws, HTTP, tools by MCP, tasks. The world is a registered one, such as
LookUp-v0, or the one that a file of your own registers, such as ./mine.ts. Texts come in and go out.
Nobody but this machine reaches it, unless --host says so; then clients must send a token.`,
  positionals: "<world or file>",
  options: {
    port: {
      type: "string",
      value: "<port>",
      default: "8000",
      help: "port to listen on; 0: any free one (default: 8000)",
    },
    host: {
      type: "string",
      value: "<address>",
      default: "127.0.0.1",
      help: "0.0.0.0 lets other machines in",
    },
    token: {
      type: "string",
      value: "<token>",
      help: `what clients send as "Authorization: Bearer <token>"; or ${tokenVariable}`,
    },
    world: { type: "string", value: "<id>", help: "id of the world, if the file registers several" },
    options: { type: "string", value: "<json>", help: `options of the world, such as '{"facts": 6}'` },
    seed: {
      type: "string",
      value: "<n>",
      default: "0",
      help: "seed of episodes that request none (default: 0)",
    },
    sessions: {
      type: "string",
      value: "<n>",
      default: "256",
      help: "largest number of sessions at once (default: 256)",
    },
    idle: {
      type: "string",
      value: "<seconds>",
      default: "600",
      help: "end a session idle for this long (default: 600)",
    },
    "message-bytes": {
      type: "string",
      value: "<n>",
      default: "65536",
      help: "longest message (default: 65536)",
    },
  },
  run: async ({ values, positionals }) => {
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) {
      throw new Complaint(
        `Cannot serve: name exactly one world, got ${positionals.length}.`,
        "See: turnwise serve --help",
      );
    }
    const library = await import("../serve/index.js");
    const token = values.token ?? process.env[tokenVariable];
    const id = library.worldOf(name, process.cwd(), values.world);
    const server = await library.serve(id, {
      ...{ host: values.host, port: numberOf("port", values.port), seed: numberOf("seed", values.seed) },
      ...{ sessions: numberOf("sessions", values.sessions), idleSeconds: numberOf("idle", values.idle) },
      messageBytes: numberOf("message-bytes", values["message-bytes"]),
      ...(token !== undefined && { token }),
      ...(values.options !== undefined && { options: optionsOf(values.options) }),
    });
    process.stdout.write(`${id} speaks OpenEnv at ${server.url}. Ctrl-C ends it.\n`);
    await interrupted();
    await server.close();
    return 0;
  },
});

function numberOf(option: string, text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new RangeError(`Cannot serve: --${option} must be a number >= 0, got "${text}".`);
}

function optionsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const options = JSON.parse(text) as unknown;
    if (typeof options === "object" && options !== null && !Array.isArray(options)) {
      return options as Readonly<Record<string, unknown>>;
    }
  } catch {
    // Said below.
  }
  throw new RangeError(`Cannot serve: --options must be a JSON object, got '${text}'.`);
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
