import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { escapeHtml } from "./html.js";
import { outputFolder } from "./output-folder.js";

const extensions: Readonly<Record<string, string>> = {
  "text/html": "html",
  "text/markdown": "md",
  "text/plain": "txt",
  "text/latex": "tex",
  "image/svg+xml": "svg",
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "application/pdf": "pdf",
};

let folder = ".";

/** Large outputs of this process are kept in a folder beside this notebook. */
export function keepLargeIn(notebookFolder: string): void {
  folder = notebookFolder;
}

/** Keeps what is too large for the notebook in a file, and gives the HTML that stands for it: what it is, and a link. */
export function keptInFile(mediaType: string, content: string): string {
  const size = content.length.toLocaleString("en");
  const what = `${size} characters of ${mediaType}: more than "%config display" lets into the notebook`;
  try {
    mkdirSync(join(folder, outputFolder), { recursive: true });
    // The number of a process comes again, in containers above all: a file that an older notebook links to must stay its own.
    const name = `display-${randomUUID()}.${extensions[mediaType] ?? "txt"}`;
    const binary = /^(image\/(png|jpeg|gif)|application\/pdf)$/.test(mediaType);
    // In place: no file has that name yet.
    writeFileSync(join(folder, outputFolder, name), binary ? Buffer.from(content, "base64") : content);
    const path = `${outputFolder}/${name}`;
    return `<p>${escapeHtml(what)}. <a href="${path}">${path}</a> has it.</p>`;
  } catch (error) {
    return `<p>${escapeHtml(`${what}. It could not be kept in a file: ${(error as Error).message}`)}</p>`;
  }
}
