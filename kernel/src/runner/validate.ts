import { tagsOf, type Notebook } from "./notebook.js";

type Report = (path: string, problem: string) => void;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isCount = (value: unknown): boolean =>
  value === null || (Number.isInteger(value) && Number(value) >= 0);

function onlyKeys(value: Record<string, unknown>, allowed: string[], path: string, report: Report): void {
  for (const key of Object.keys(value)) {
    if (!allowed.includes(key))
      report(`${path}.${key}`, `must not be there; known are ${allowed.join(", ")}`);
  }
}

function checkBundle(value: unknown, path: string, report: Report): void {
  if (!isObject(value)) {
    report(path, "must be an object of media types");
    return;
  }
  for (const [mime, content] of Object.entries(value)) {
    const json = /^application\/(.*\+)?json$/.test(mime);
    if (!json && typeof content !== "string") report(`${path}["${mime}"]`, "must be a string");
  }
}

const outputKeys: Record<string, string[]> = {
  stream: ["output_type", "name", "text"],
  display_data: ["output_type", "data", "metadata"],
  execute_result: ["output_type", "data", "metadata", "execution_count"],
  error: ["output_type", "ename", "evalue", "traceback"],
};

function checkOutput(output: unknown, path: string, report: Report): void {
  if (!isObject(output) || !Object.hasOwn(outputKeys, String(output.output_type))) {
    report(path, `must have an output_type of ${Object.keys(outputKeys).join(", ")}`);
    return;
  }
  const keys = outputKeys[String(output.output_type)];
  onlyKeys(output, keys, path, report);
  for (const key of keys) if (!(key in output)) report(`${path}.${key}`, "must be there");
  if ("text" in output && typeof output.text !== "string") report(`${path}.text`, "must be a string");
  if ("name" in output && typeof output.name !== "string") report(`${path}.name`, "must be a string");
  if ("data" in output) checkBundle(output.data, `${path}.data`, report);
  if ("metadata" in output && !isObject(output.metadata)) report(`${path}.metadata`, "must be an object");
  if ("execution_count" in output && !isCount(output.execution_count))
    report(`${path}.execution_count`, "must be a count or null");
  if (output.output_type !== "error") return;
  for (const key of ["ename", "evalue"])
    if (typeof output[key] !== "string") report(`${path}.${key}`, "must be a string");
  if (!Array.isArray(output.traceback) || !output.traceback.every((line) => typeof line === "string"))
    report(`${path}.traceback`, "must be a list of strings");
}

function checkCell(cell: unknown, path: string, ids: Set<string>, report: Report): void {
  if (!isObject(cell)) {
    report(path, "must be an object");
    return;
  }
  const code = cell.cell_type === "code";
  if (!code && cell.cell_type !== "markdown" && cell.cell_type !== "raw")
    report(`${path}.cell_type`, "must be code, markdown or raw");
  const common = ["id", "cell_type", "metadata", "source"];
  onlyKeys(cell, [...common, ...(code ? ["outputs", "execution_count"] : ["attachments"])], path, report);
  if (typeof cell.id !== "string" || !/^[a-zA-Z0-9-_]{1,64}$/.test(cell.id))
    report(`${path}.id`, "must be 1 to 64 letters, digits, - or _");
  else if (ids.has(cell.id)) report(`${path}.id`, `must be unique, but "${cell.id}" occurs twice`);
  else ids.add(cell.id);
  if (typeof cell.source !== "string") report(`${path}.source`, "must be a string");
  if (!isObject(cell.metadata)) report(`${path}.metadata`, "must be an object");
  else if ("tags" in cell.metadata) {
    const tags: unknown = cell.metadata.tags;
    if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === "string" && !tag.includes(",")))
      report(`${path}.metadata.tags`, "must be a list of strings without commas");
    else if (new Set(tags).size !== tags.length) report(`${path}.metadata.tags`, "must not repeat a tag");
  }
  if (!code) return;
  if (!isCount(cell.execution_count)) report(`${path}.execution_count`, "must be a count or null");
  if (!Array.isArray(cell.outputs)) report(`${path}.outputs`, "must be a list");
  else cell.outputs.forEach((output, i) => checkOutput(output, `${path}.outputs[${String(i)}]`, report));
}

/**
 * Checks a parsed notebook against the rules of notebook format 4.5 (nbformat, nbformat.v4.5.schema.json) and
 * returns one line per problem; an empty list means valid.
 */
export function notebookProblems(notebook: Notebook): string[] {
  const problems: string[] = [];
  const report: Report = (path, problem) => problems.push(`${path} ${problem}`);
  if (!isObject(notebook)) return ["the notebook must be an object"];
  onlyKeys(notebook, ["cells", "metadata", "nbformat", "nbformat_minor"], "notebook", report);
  if (notebook.nbformat !== 4 || !(notebook.nbformat_minor >= 5))
    report("nbformat", `must be 4.5, got ${String(notebook.nbformat)}.${String(notebook.nbformat_minor)}`);
  const metadata: unknown = notebook.metadata;
  if (!isObject(metadata)) report("metadata", "must be an object");
  else {
    const { kernelspec, language_info: language } = metadata;
    if (
      kernelspec !== undefined &&
      !(isObject(kernelspec) && ["name", "display_name"].every((k) => typeof kernelspec[k] === "string"))
    )
      report("metadata.kernelspec", "must have name and display_name");
    if (language !== undefined && !(isObject(language) && typeof language.name === "string"))
      report("metadata.language_info", "must have a name");
  }
  if (!Array.isArray(notebook.cells)) {
    report("cells", "must be a list");
    return problems;
  }
  const ids = new Set<string>();
  notebook.cells.forEach((cell, i) => {
    checkCell(cell, `cells[${String(i)}]`, ids, report);
  });
  const tagged = notebook.cells.filter(
    (cell) => isObject(cell) && isObject(cell.metadata) && tagsOf(cell).includes("parameters"),
  );
  if (tagged.length > 1)
    report("cells", `must have at most one cell tagged "parameters": ${String(tagged.length)}`);
  return problems;
}
