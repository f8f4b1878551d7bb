import type { QuickInfo } from "../types/engine.js";

/** Information about a name, as plain text and as Markdown. */
export function inspection(info: QuickInfo): Record<string, string> {
  return {
    "text/plain": info.text,
    "text/markdown": `\`\`\`typescript\n${info.signature}\n\`\`\`\n\n${info.documentation}`,
  };
}
