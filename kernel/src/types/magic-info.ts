import { spoken } from "../magics/find.js";
import type { QuickInfo } from "./engine.js";
import { host } from "./host.js";

/** Information about the magic at the cursor: its usage and its effect. */
export function magicAt(code: string, offset: number): QuickInfo | undefined {
  const lineStart = code.lastIndexOf("\n", offset - 1) + 1;
  const written = /^[ \t]*(%%?\w+)/.exec(code.slice(lineStart));
  if (!written || offset > lineStart + written[0].length) return undefined;
  const magic = host().magics.find((one) => spoken(one).includes(written[1]!));
  if (!magic) return undefined;
  const signature = magic.usage.join("\n");
  const documentation = magic.more === undefined ? magic.about : `${magic.about}\n\n${magic.more}`;
  return { signature, text: `${signature}\n\n${documentation}`, documentation };
}
