import { Complaint } from "../../../bootstrap/steps.cjs";
import { command } from "../command.js";

const defaultPort = 8642;

export const poll = command({
  about: `Lets a class vote. Students on the same network open an address or scan a code; you step through the questions on a
separate page, whose link is printed. The questions are the predictions of a lesson (its number or a notebook), or one
question from the command line: --ask "Does it fall?" yes no. Each browser has one vote per question; results are
hidden until you show them. No accounts, and nothing is stored: the votes are gone when the command ends (Ctrl+C).`,
  positionals: "<lesson or choices...>",
  options: {
    ask: { type: "string", value: "<question>", help: "question to ask; the arguments are its choices" },
    port: {
      type: "string",
      value: "<port>",
      help: `port to listen on; 0: any free one (default: ${String(defaultPort)}, or a free one if it is taken)`,
    },
    host: {
      type: "string",
      value: "<address>",
      default: "0.0.0.0",
      help: "address of this machine to listen on (default: 0.0.0.0, all of them)",
    },
  },
  run: async ({ values, positionals }, { root }) => {
    const { questionsOf } = await import("../../poll/questions.js");
    const { Poll } = await import("../../poll/poll.js");
    const { servePoll } = await import("../../poll/server.js");
    const { networkAddresses, urlOf } = await import("../../poll/addresses.js");
    const { renderSVG, renderUnicodeCompact } = await import("uqr");
    const { host } = values;
    const port = portOf(values.port);
    const questions = questionsOf(positionals, {
      root,
      ...(values.ask !== undefined && { ask: values.ask }),
    });
    const isEvery = host === "0.0.0.0" || host === "::";
    const addresses = isEvery ? networkAddresses() : [host];
    const urls = (at: number): string[] => addresses.map((address) => urlOf(address, at));
    const serve = (at: number): ReturnType<typeof servePoll> =>
      servePoll(new Poll(questions), {
        host,
        port: at,
        joining: (bound) => {
          const address = urls(bound)[0] ?? urlOf("localhost", bound);
          return { address, code: renderSVG(address, { border: 2 }) };
        },
      });
    const server = await serve(port ?? defaultPort)
      .catch((error: unknown) => {
        if (port === undefined && (error as NodeJS.ErrnoException).code === "EADDRINUSE") return serve(0);
        throw error;
      })
      .catch((error: unknown) => {
        throw listening(error, host, port ?? defaultPort);
      });
    const [first = urlOf("localhost", server.port), ...others] = urls(server.port);
    const own = urlOf(isEvery ? "localhost" : host, server.port);
    const count = questions.length === 1 ? "1 question" : `${String(questions.length)} questions`;
    process.stdout.write(
      [
        inInk(renderUnicodeCompact(first, { border: 2 })),
        `Students vote at   ${first}${others.length > 0 ? `   (or ${others.join(", ")})` : ""}`,
        `You present at     ${own}${server.presenterPath}`,
        addresses.length === 0 ? "No network was found: only this machine can vote." : "",
        `${count}. Ctrl+C ends the poll; nothing is stored.`,
        "",
      ]
        .filter((line, i, all) => line !== "" || i === all.length - 1)
        .join("\n"),
    );
    await ended();
    await server.close();
    process.stdout.write("The poll has ended.\n");
    return 0;
  },
});

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Complaint(`Cannot start a poll: --port must be a whole number from 0 to 65535, got "${text}".`);
}

/** An error of listening as a sentence. */
function listening(error: unknown, host: string, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return new Complaint(
      `Cannot start a poll: port ${String(port)} is taken.`,
      "Choose another --port, or 0 for any free one.",
    );
  if (code === "EACCES")
    return new Complaint(
      `Cannot start a poll: this user may not listen on port ${String(port)}.`,
      "Choose a --port of at least 1024.",
    );
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "EINVAL")
    return new Complaint(
      `Cannot start a poll: --host must be an address of this machine, got "${host}".`,
      "Leave --host out to listen on all of them.",
    );
  return error;
}

/** A code that cameras read on dark and light terminals alike. */
function inInk(code: string): string {
  if (!process.stdout.isTTY || process.env["NO_COLOR"]) return code;
  return code
    .split("\n")
    .map((line) => `\u001b[97;40m${line}\u001b[0m`)
    .join("\n");
}

/** Resolves when the user or the system ends the command. */
function ended(): Promise<void> {
  return new Promise((resolve) => {
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
    const end = (): void => {
      for (const signal of signals) process.off(signal, end);
      resolve();
    };
    for (const signal of signals) process.on(signal, end);
  });
}
