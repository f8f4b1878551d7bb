import { expectKnown } from "turnwise/internal/base/expect";
import { show } from "turnwise/internal/base/show";
import type { Env } from "turnwise/internal/env/env";
import { orderEnforcing } from "turnwise/internal/env/wrapper";
import { Bridge, Unanswered } from "../node/bridge";
import { isServedHere } from "../node/server";
import { isRecord } from "../wire/shapes";
import { foreignDialect, ownDialect, type Dialect, type ForeignWorld } from "./dialect";
import { OpenEnvError, RemoteEnv } from "./remoteEnv";

/** Options of reaching a server, and of reading a world that is not ours. */
export interface OpenEnvOptions {
  /** Sent as `Authorization: Bearer <token>`. */
  readonly token?: string;
  /** Time to wait for an answer; default 60. */
  readonly timeoutSeconds?: number;
  /** The words of a world that is not turnwise's: what OpenEnv has no field for. */
  readonly world?: ForeignWorld;
}

/**
 * A world that a server of OpenEnv plays, as an environment: with the same checker, wrappers, trainer and records as any other.
 * Every copy is a session of its own there. It waits for each answer without giving way to anything else, and needs Node.
 *
 * A server of turnwise tells its words; for any other one, `world` says how turns of words become its actions.
 *
 * ```ts
 * const env = openEnv("http://127.0.0.1:8000"); // npx turnwise serve LookUp-v0 --port 8000
 * checkEnv(env);
 * ```
 *
 * @throws {OpenEnvError} if the server does not answer
 * @throws {RangeError} if an option is unknown or out of range, `world` is missing, or the server runs in this very thread
 */
export function openEnv(url: string, o: OpenEnvOptions = {}): Env {
  expectKnown("open the world of a server", o, ["token", "timeoutSeconds", "world"]);
  const base = baseOf(url);
  if (isServedHere(base)) {
    throw new RangeError(
      `Cannot open ${base}: its server must run in another process, since this one waits for the answers and could give none.`,
    );
  }
  const { token, timeoutSeconds = 60 } = o;
  if (!(timeoutSeconds > 0)) {
    throw new RangeError(`Cannot open ${base}: timeoutSeconds must be above 0, got ${show(timeoutSeconds)}.`);
  }
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const bridge = new Bridge({ headers, timeoutMs: timeoutSeconds * 1000 });
  try {
    return orderEnforcing(new RemoteEnv(base, bridge, dialectOf(base, bridge, o.world)));
  } catch (error) {
    bridge.end();
    if (!(error instanceof Unanswered)) throw error;
    throw new OpenEnvError(`Cannot open ${base}: the server does not answer: ${error.message}`, undefined);
  }
}

function baseOf(url: string): string {
  if (/^https?:\/\/[^/]/.test(url) && URL.canParse(url)) return url.replace(/\/+$/, "");
  throw new RangeError(
    `Cannot open a server: its address must look like "http://127.0.0.1:8000", got ${show(url)}.`,
  );
}

function dialectOf(url: string, bridge: Bridge, world: ForeignWorld | undefined): Dialect {
  const get = (path: string): unknown => bridge.call({ kind: "get", url: url + path });
  const own = ownDialect(get("/schema"));
  if (own && !world) return own;
  if (!world) {
    throw new RangeError(
      `Cannot open ${url}: its words are unknown, because it is no server of turnwise. Give world: { words, maxTurns, action }.`,
    );
  }
  const metadata = get("/metadata");
  const [name, about] = isRecord(metadata) ? [metadata.name, metadata.description] : [];
  return foreignDialect(String(name ?? url), String(about ?? "a world of another server"), world);
}
