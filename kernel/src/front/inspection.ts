import type { QuickInfo } from "../types/engine.js";

/** What is known of a name, as plain text and as Markdown. */
export function inspection(info: QuickInfo): Record<string, string> {
  return {
    "text/plain": info.text,
    "text/markdown": `\`\`\`typescript\n${info.signature}\n\`\`\`\n\n${info.documentation}`,
  };
}
