import { existsSync, mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { machine } from "turnwise/internal/base/host/index";
import { replaceFile } from "turnwise/internal/base/host/files/replaceFile";
import { Complaint } from "turnwise/internal/command/contract";
import { command } from "turnwise/internal/command/options";

/** Environment variable for a token that other users of the machine must not see in the list of processes. */
const tokenVariable = "TURNWISE_SERVE_TOKEN";

export const run = command({
  about: `Serves one world over OpenEnv's protocol: WebSocket /ws, HTTP, tools by MCP, tasks. The world is a registered one, such
as LookUp-v0, or one that your own file registers, such as ./mine.ts. Actions and observations are text.
Only this machine can reach the server, unless --host allows others; clients must then send a token.
With --client, it serves nothing: it writes that trainer's client in Python, with the world's tools as methods.`,
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
      help: "address to listen on; 0.0.0.0 lets other machines in (default: 127.0.0.1)",
    },
    token: {
      type: "string",
      value: "<token>",
      help: `token that clients send as "Authorization: Bearer <token>" (default: $${tokenVariable})`,
    },
    world: { type: "string", value: "<id>", help: "id of the world, if the file registers several" },
    options: { type: "string", value: "<json>", help: `options of the world, such as '{"facts": 6}'` },
    seed: {
      type: "string",
      value: "<n>",
      default: "0",
      help: "seed for episodes that request none (default: 0)",
    },
    sessions: {
      type: "string",
      value: "<n>",
      default: "256",
      help: "largest number of sessions at once (default: 256)",
    },
    "idle-timeout": {
      type: "string",
      former: "idle",
      value: "<seconds>",
      default: "600",
      help: "end a session idle for this long (default: 600)",
    },
    "message-bytes": {
      type: "string",
      value: "<n>",
      default: "65536",
      help: "length limit of a message, in bytes (default: 65536)",
    },
    client: {
      type: "string",
      value: "<trainer>",
      help: "print this trainer's client instead: trl, verifiers, verl, skyrl or openenv",
    },
    write: {
      type: "string",
      value: "<path>",
      help: "write the client to this file or folder instead of printing it",
    },
    force: { type: "boolean", help: "let --write replace an existing file" },
  },
  run: async ({ values, positionals }) => {
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) {
      throw new Complaint(
        `Cannot serve: name exactly one world, got ${positionals.length}.`,
        "See: turnwise serve --help",
      );
    }
    if (values.client !== undefined) return client(name, values.client, values);
    if (values.write !== undefined || values.force) {
      const option = values.write !== undefined ? "--write" : "--force";
      throw new RangeError(`Cannot serve ${name}: ${option} belongs to --client, which is missing.`);
    }
    const library = await import("../serve/index.js");
    const token = values.token ?? process.env[tokenVariable];
    const id = library.worldOf(name, process.cwd(), values.world);
    const server = await library.serve(id, {
      ...{ host: values.host, port: numberOf("port", values.port), seed: numberOf("seed", values.seed) },
      ...{
        sessions: numberOf("sessions", values.sessions),
        idleSeconds: numberOf("idle-timeout", values["idle-timeout"]),
      },
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

interface ClientValues {
  readonly host: string;
  readonly port: string;
  readonly world?: string | undefined;
  readonly options?: string | undefined;
  readonly write?: string | undefined;
  readonly force: boolean;
}

/** Writes the client of a trainer; nothing is served. */
async function client(name: string, trainer: string, o: ClientValues): Promise<number> {
  const { worldOf } = await import("../serve/worldOf.js");
  const { clientFile } = await import("../serve/python/index.js");
  const port = numberOf("port", o.port);
  if (port === 0) throw new RangeError("Cannot write a client: --port must be the server's port, got 0.");
  // A server that listens everywhere is not reached by that address.
  const host = o.host === "0.0.0.0" ? "127.0.0.1" : o.host;
  const id = worldOf(name, process.cwd(), o.world);
  const file = clientFile(id, trainer, {
    url: `http://${host}:${port}`,
    command: serveCommand(name, o),
    ...(o.options !== undefined && { options: optionsOf(o.options) }),
  });
  if (o.write === undefined) {
    if (o.force) throw new RangeError("Cannot write a client: --force belongs to --write, which is missing.");
    process.stdout.write(file.text);
    return 0;
  }
  const target = targetOf(o.write, file.name);
  if (!o.force && existsSync(target)) {
    throw new RangeError(`Cannot write ${target}: the file exists; --force replaces it.`);
  }
  replaceFile(target, file.text);
  process.stdout.write(`Wrote ${target}. Serve the world by: ${serveCommand(name, o)}\n`);
  return 0;
}

function serveCommand(name: string, { host, port, world, options }: ClientValues): string {
  const quoted = (text: string): string =>
    /^[\w./@:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
  const given = { host: host === "127.0.0.1" ? undefined : host, port: port === "8000" ? undefined : port };
  const flags = Object.entries({ ...given, world, options }).flatMap(([key, value]) =>
    value === undefined ? [] : [`--${key}`, quoted(value)],
  );
  return [`${machine.program} serve`, quoted(name), ...flags].join(" ");
}

/** The file that a path means: a folder, or a path that ends like one, holds the client under its own name. */
function targetOf(given: string, name: string): string {
  const isFolder = /[\\/]$/.test(given) || statSync(given, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) return given;
  mkdirSync(given, { recursive: true });
  return path.join(given, name);
}

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
