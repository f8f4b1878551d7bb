/** Parts of an error that advice looks at. */
interface Told {
  readonly name: string;
  readonly message: string;
  readonly code?: unknown;
  readonly path?: unknown;
  readonly syscall?: unknown;
  readonly cause?: unknown;
}

/** The message of an error, with its cause where it says nothing without, and what to do where that is known. */
export function withAdvice(error: Error, message: string): string {
  try {
    const told = error as Told;
    const full = message === "fetch failed" ? `${message}: ${reasonOf(told.cause)}` : message;
    const advice = adviceFor(told, full);
    return advice === undefined ? full : `${full}${/[.!?:]$/.test(full) ? "" : "."} ${advice}`;
  } catch {
    // An error that throws at a look.
    return message;
  }
}

function adviceFor(error: Told, message: string): string | undefined {
  const { code } = message.startsWith("fetch failed: ") ? (error.cause as Told) : error;
  return ofCode(typeof code === "string" ? code : "", error) ?? ofMessage(error.name, message);
}

function ofCode(code: string, { path, syscall }: Told): string | undefined {
  switch (code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "No host of that name was found: check the name, and the network";
    case "ECONNREFUSED":
      return "Nothing listens at that address";
    case "UND_ERR_CONNECT_TIMEOUT":
    case "ETIMEDOUT":
      return "No answer came: check the network, and whether it needs a proxy";
    case "EADDRINUSE":
      return "A server that an earlier run of the cell has started may still have it: close that with server.close(), listen on port 0, or restart the kernel";
    case "ERR_UNKNOWN_BUILTIN_MODULE":
      return lacks();
    case "ENOENT":
      if (String(syscall).startsWith("spawn")) return "No program of that name was found";
      return typeof path === "string" && !/^(?:[/\\]|[A-Za-z]:)/.test(path)
        ? `Such a path starts at ${process.cwd()}`
        : undefined;
    default:
      return undefined;
  }
}

/** Globals of newer releases of Node, which the declarations know. */
const newer = new Set([
  ...[
    "AsyncDisposableStack",
    "DisposableStack",
    "EventSource",
    "Float16Array",
    "Iterator",
    "SuppressedError",
  ],
  ...["Temporal", "URLPattern", "WebSocket", "localStorage", "navigator", "sessionStorage"],
]);

function ofMessage(name: string, message: string): string | undefined {
  const missing = name === "ReferenceError" ? /^(\w+) is not defined$/.exec(message)?.[1] : undefined;
  if (missing !== undefined) return newer.has(missing) ? lacks() : undefined;
  if (name === "RangeError" && message === "Maximum call stack size exceeded")
    return "A function calls itself, or others that call it, without coming to an end";
  if (name === "SyntaxError") return ofJson(message);
  if (/^Failed to parse URL from /.test(message))
    return 'An address begins with https://. A file is read with readFileSync("name", "utf8") of node:fs';
  if (/^RequestInit: duplex option is required/.test(message)) return 'Add duplex: "half" to the options';
  return undefined;
}

function ofJson(message: string): string | undefined {
  if (/^Unexpected end of JSON input/.test(message)) return "The text is empty, or its end is missing";
  if (/^Expected double-quoted property name in JSON/.test(message))
    return "In JSON, no comma stands before a closing bracket, and names are in double quotes";
  if (!/ is not valid JSON$| in JSON at position \d+/.test(message)) return undefined;
  if (/^Unexpected token '?</.test(message)) return "The text is HTML and no JSON: print it to see what came";
  if (/^Unexpected token '?'|^Expected property name or '\}'/.test(message))
    return "In JSON, names and texts are in double quotes";
  return undefined;
}

function lacks(): string | undefined {
  const version = (process.versions as { node?: string } | undefined)?.node;
  return version === undefined ? undefined : `Node ${version}, which runs the cells, does not have it`;
}

/** The message of a cause; one that stands for several tries has it in the first of them. */
function reasonOf(cause: unknown): string {
  const { message, code, errors } = (cause ?? {}) as { message?: unknown; code?: unknown; errors?: unknown };
  if (typeof message === "string" && message !== "") return message;
  const [first] = Array.isArray(errors) ? (errors as { message?: unknown }[]) : [];
  return String(first?.message ?? code ?? "no reason is given");
}
