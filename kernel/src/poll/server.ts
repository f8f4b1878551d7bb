import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { policy, presenterPage, presenterState, stateOf, studentPage } from "./pages.js";
import { isStep, type Poll, type Voted } from "./poll.js";

/** Longest body: a form of two short fields. */
const mostBytes = 1024;

/** Pages that wait for the next question, all students' and the presenter's together. */
const mostWaiting = 2000;

const cookieName = "turnwise-poll";

/** A request that cannot be served, with a sentence for whoever reads it. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** A server of one poll. */
export interface PollServer {
  readonly port: number;
  /** Path and query of the presenter's page, which nobody else knows. */
  readonly presenterPath: string;
  close(): Promise<void>;
}

/** Address and code of the students' page, as the presenter's page shows them, once the port is known. */
export interface Joining {
  readonly address: string;
  /** The address as a picture (SVG); undefined where none can be drawn. */
  readonly code: string | undefined;
}

/** Serves a poll. Nothing is read from or written to a disk. */
export async function servePoll(
  poll: Poll,
  o: { host: string; port: number; joining: (port: number) => Joining },
): Promise<PollServer> {
  const secret = randomBytes(32);
  const key = randomBytes(12).toString("base64url");
  const voters = new Voters(secret);
  const waiting = new Waiting(poll);
  const joining = (): Joining => o.joining((server.address() as AddressInfo).port);
  const server = http.createServer(
    { requestTimeout: 10_000, headersTimeout: 10_000, maxHeaderSize: 16_384 },
    (request, response) => {
      answer(request, response).catch((error: unknown) => refuse(request, response, error));
    },
  );
  // Students' pages wait with a connection each.
  server.maxConnections = 2 * mostWaiting;
  server.on("clientError", (_error, socket) => {
    if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
    else socket.destroy();
  });

  const isPresenter = (url: URL): boolean => same(url.searchParams.get("key") ?? "", key);
  const answer = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const url = urlFrom(request);
    const { method = "" } = request;
    const route = `${method === "HEAD" ? "GET" : method} ${url.pathname}`;
    if (url.pathname === "/present" && !isPresenter(url))
      throw new Refusal(403, "This is the presenter's page: open it by the link in the terminal.");
    switch (route) {
      case "GET /":
        return sendHtml(request, response, (voter) => studentPage(poll, voter), voters);
      case "GET /events":
        return isPresenter(url)
          ? waiting.add(request, response, presenterState)
          : waiting.add(request, response, stateOf);
      case "GET /present":
        return sendHtml(request, response, () => presenterPage(poll, { key, ...joining() }));
      case "POST /vote": {
        const voter = voters.of(request);
        if (voter === undefined)
          throw new Refusal(
            403,
            "Your browser must keep the cookie of this page, which makes one vote of one browser.",
          );
        const form = await readForm(request);
        const voted = poll.vote(voter, indexIn(form), form.get("choice") ?? "");
        const status = statusOf[voted];
        if (status !== undefined) throw new Refusal(...status);
        return void response.writeHead(303, { Location: "./" }).end();
      }
      case "POST /present": {
        const form = await readForm(request);
        const step = form.get("do") ?? "";
        if (!isStep(step)) throw new Refusal(400, "That is no step of a poll.");
        poll.step(step, indexIn(form));
        return void response.writeHead(303, { Location: `present?key=${key}` }).end();
      }
      default: {
        const methods = allowed[url.pathname];
        if (methods === undefined) throw new Refusal(404, "There is no such page: the vote is at /.");
        response.setHeader("Allow", methods);
        throw new Refusal(405, `This address must be asked by ${methods}, got ${method}.`);
      }
    }
  };

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(o.port, o.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    presenterPath: `present?key=${key}`,
    close: () =>
      new Promise((resolve) => {
        waiting.end();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const allowed: Readonly<Record<string, string>> = Object.assign(Object.create(null) as object, {
  "/": "GET",
  "/events": "GET",
  "/present": "GET, POST",
  "/vote": "POST",
});

const statusOf: Readonly<Record<Voted, [number, string] | undefined>> = {
  counted: undefined,
  closed: [409, "This question is closed. Reload the page for the present one."],
  "unknown choice": [400, "The vote must be for one of the choices."],
  full: [503, "No more browsers can vote on this question."],
};

/** Compares in a time that tells nothing about the secret. */
function same(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function urlFrom(request: http.IncomingMessage): URL {
  const { url = "" } = request;
  // "//host" would be another host, and a proxy's request names one.
  if (!url.startsWith("/") || url.startsWith("//"))
    throw new Refusal(400, "The address must be a path of this page.");
  try {
    return new URL(url, "http://poll");
  } catch {
    throw new Refusal(400, "The address must be a path of this page.");
  }
}

/** Browsers by a signed cookie, so that nothing is kept of those that only look. */
class Voters {
  readonly #secret: Buffer;

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  of({ headers }: http.IncomingMessage): string | undefined {
    for (const pair of (headers.cookie ?? "").split(";")) {
      const [name, value = ""] = pair.trim().split("=");
      if (name !== cookieName) continue;
      const [id = "", mark = ""] = value.split(".");
      if (/^[\w-]{16}$/.test(id) && same(mark, this.#mark(id))) return id;
    }
    return undefined;
  }

  /** A new browser, and the cookie by which it is known. */
  add(): { voter: string; cookie: string } {
    const voter = randomBytes(12).toString("base64url");
    return { voter, cookie: `${cookieName}=${voter}.${this.#mark(voter)}; Path=/; HttpOnly; SameSite=Lax` };
  }

  #mark(id: string): string {
    return createHmac("sha256", this.#secret).update(id).digest("base64url").slice(0, 22);
  }
}

/** Pages that are told when something changes, by server-sent events. */
class Waiting {
  readonly #poll: Poll;
  readonly #open = new Map<http.ServerResponse, { state: (poll: Poll) => string; told: string }>();
  readonly #unwatch: () => void;

  constructor(poll: Poll) {
    this.#poll = poll;
    this.#unwatch = poll.watch(() => this.#tell());
  }

  add(request: http.IncomingMessage, response: http.ServerResponse, state: (poll: Poll) => string): void {
    // The browser tries again by itself.
    if (this.#open.size >= mostWaiting)
      throw new Refusal(503, "Too many pages are open. Reload this one later.");
    response.writeHead(200, { ...common, "Content-Type": "text/event-stream" });
    if (request.method === "HEAD") return void response.end();
    request.on("close", () => this.#open.delete(response));
    response.on("error", () => this.#open.delete(response));
    this.#open.set(response, { state, told: "" });
    this.#tellOne(response);
  }

  #tell(): void {
    for (const response of [...this.#open.keys()]) this.#tellOne(response);
  }

  #tellOne(response: http.ServerResponse): void {
    const one = this.#open.get(response)!;
    const now = one.state(this.#poll);
    if (now === one.told) return;
    one.told = now;
    // A page that reads nothing must not have its news pile up here; it comes again.
    if (response.writableLength > 65_536) response.destroy();
    else response.write(`retry: 2000\ndata: ${now}\n\n`);
  }

  end(): void {
    this.#unwatch();
    for (const response of this.#open.keys()) response.end();
    this.#open.clear();
  }
}

const common = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "same-origin",
};

function sendHtml(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  html: (voter: string) => string,
  voters?: Voters,
): void {
  const known = voters?.of(request);
  const added = voters !== undefined && known === undefined ? voters.add() : undefined;
  const body = html(known ?? added?.voter ?? "");
  response.writeHead(200, {
    ...common,
    "Content-Type": "text/html; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    "Content-Security-Policy": policy,
    ...(added && { "Set-Cookie": added.cookie }),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

async function readForm(request: http.IncomingMessage): Promise<URLSearchParams> {
  const { origin, host, "content-type": type = "" } = request.headers;
  if (origin !== undefined && origin !== `http://${host ?? ""}`)
    throw new Refusal(403, "The form must be this page's own.");
  if (!/^application\/x-www-form-urlencoded\b/i.test(type))
    throw new Refusal(415, "The body must be a form.");
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > mostBytes) throw new Refusal(413, `The body must have at most ${String(mostBytes)} bytes.`);
    parts.push(part);
  }
  return new URLSearchParams(Buffer.concat(parts).toString("utf8"));
}

function indexIn(form: URLSearchParams): number {
  const text = form.get("question") ?? "";
  if (!/^\d{1,3}$/.test(text)) throw new Refusal(400, "The form must name its question.");
  return Number(text);
}

function refuse(request: http.IncomingMessage, response: http.ServerResponse, error: unknown): void {
  const { status, message } =
    error instanceof Refusal ? error : new Refusal(500, "Something went wrong; the poll goes on.");
  if (response.headersSent) return void response.destroy();
  // What is left of a body is not read.
  const isWhole = request.complete;
  response.writeHead(status, {
    ...common,
    "Content-Type": "text/plain; charset=utf-8",
    ...(!isWhole && { Connection: "close" }),
  });
  response.end(`${message}\n`);
  if (!isWhole) response.once("finish", () => request.destroy());
}
