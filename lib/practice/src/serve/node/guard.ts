import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Fault in a request, found before its body is read. */
export interface Rejection {
  readonly status: 401 | 403 | 422;
  readonly message: string;
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]", "::1"];

/** Whether nobody but this machine reaches a server that listens there. */
export function isLoopback(host: string): boolean {
  return loopbackNames.includes(host) || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * Checks who may connect. With a token, whoever sends it. Without one, programs of this machine: a web page in its
 * browser may not, by its origin, nor by a name of its own that it lets point here.
 */
export function guard(token: string | undefined): (request: IncomingMessage) => Rejection | undefined {
  if (token !== undefined) {
    const right = digest(token);
    return ({ headers }) => {
      const [, given = ""] = /^Bearer (.*)$/i.exec(headers.authorization ?? "") ?? [];
      if (timingSafeEqual(digest(given), right)) return undefined;
      const message = 'Cannot answer: the header "Authorization: Bearer <token>" must hold the token.';
      return { status: 401, message };
    };
  }
  return ({ headers }) => {
    const origin = headers.origin;
    const names = [nameOf(`http://${headers.host ?? ""}`), ...(origin === undefined ? [] : [nameOf(origin)])];
    const strange = names.find((name) => name === undefined || !isLoopback(name));
    if (names.every((name) => name !== undefined && isLoopback(name))) return undefined;
    return {
      status: 403,
      message: `Cannot answer: a server without a token must be asked from this machine, got ${strange ?? "another name"}.`,
    };
  };
}

/** Of one length whatever the token is, as a comparison in constant time needs it. */
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

function nameOf(url: string): string | undefined {
  try {
    return new URL(url).hostname;
  } catch {
    return undefined;
  }
}
