import type { IncomingMessage } from "node:http";
import { Refusal } from "../wire/refusal";

/**
 * The address that a request asks for. Whatever a client puts into its first line arrives here, `//` and `http://[` included.
 *
 * @throws {Refusal} if it is no address
 */
export function targetOf({ url = "/" }: IncomingMessage): URL {
  const base = "http://localhost";
  if (URL.canParse(url, base)) return new URL(url, base);
  throw new Refusal("VALIDATION_ERROR", `Cannot answer: the request must ask for an address, got ${url}.`);
}
