import type { Magic } from "./contract.js";

/** All magics as a table in Markdown. */
export function magicTable(all: readonly Magic[]): string {
  const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``;
  const rows = all.map(({ usage, about }) => `| ${usage.map(code).join("<br>")} | ${about} |`);
  return ["| magic | what it does |", "| --- | --- |", ...rows].join("\n");
}

/** One magic in Markdown. */
export function magicPage({ usage, about, more, example }: Magic): string {
  const parts = [`\`\`\`\n${usage.join("\n")}\n\`\`\``, about];
  if (more !== undefined) parts.push(more);
  if (example !== undefined) parts.push(`\`\`\`\n${example}\n\`\`\``);
  return parts.join("\n\n");
}

/** One magic in a line of plain text. */
export function magicText({ usage, about }: Magic): string {
  return `${usage.join(", ")}: ${about}`;
}

const introduction = `# Magics

A line that begins with \`%\` or \`!\` is a magic, and so is a cell whose first line begins with \`%%\`: a command to the kernel.
\`%help\` lists the magics in a notebook, \`%cd?\` and a hover describe one, and Tab completes their names. Lines in a template, in a
comment or within an expression are not magics. The rest of this page is generated from [their sources](src/magics): \`npm run generated\`.`;

/** The page of all magics. */
export function magicsPage(all: readonly Magic[]): string {
  const pages = all.map(
    (magic) => `## ${magic.usage.map((one) => `\`${one}\``).join(", ")}\n\n${body(magic)}`,
  );
  return `${[introduction, magicTable(all), ...pages].join("\n\n")}\n`;
}

function body({ about, more, example }: Magic): string {
  const parts = [about];
  if (more !== undefined) parts.push(more);
  if (example !== undefined) parts.push(`\`\`\`text\n${example}\n\`\`\``);
  return parts.join("\n\n");
}
