import ts from "typescript";
import { Complaint } from "../../bootstrap/steps.cjs";
import { tagsOf, type Cell, type Notebook } from "./notebook.js";

/** Values by parameter name, as given by `-p name=value`. */
export type Parameters = Readonly<Record<string, unknown>>;

/** Parses "name=value"; the value is JSON if it parses as such, or else a string. */
export function parseParameter(text: string): [string, unknown] {
  const match = /^([A-Za-z_$][\w$]*)=(.*)$/s.exec(text);
  if (!match) {
    throw new Complaint(
      `Cannot read this parameter: -p must be followed by name=value, got ${JSON.stringify(text)}.`,
    );
  }
  try {
    return [match[1], JSON.parse(match[2])];
  } catch {
    return [match[1], match[2]];
  }
}

/** Whether each variable that a cell declares at its top level is a constant, by name. */
function declaredVariables(source: string): Map<string, boolean> {
  const file = ts.createSourceFile("cell.ts", source, ts.ScriptTarget.Latest);
  const declared = new Map<string, boolean>();
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const constant = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
    for (const { name } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name)) declared.set(name.text, constant);
    }
  }
  return declared;
}

/**
 * Papermill's convention: after the cell tagged `parameters`, a cell tagged `injected-parameters` overrides its
 * values; one left by an earlier run is replaced. Variables are assigned, constants redeclared.
 *
 * @throws {Complaint} if a name is not declared in the tagged cell; it lists the names that are.
 */
export function injectParameters(notebook: Notebook, parameters: Parameters): Notebook {
  const names = Object.keys(parameters);
  if (names.length === 0) return notebook;
  const kept = notebook.cells.filter((cell) => !tagsOf(cell).includes("injected-parameters"));
  const at = kept.findIndex((cell) => cell.cell_type === "code" && tagsOf(cell).includes("parameters"));
  const declared = at < 0 ? new Map<string, boolean>() : declaredVariables(kept[at].source);
  const unknown = names.filter((name) => !declared.has(name));
  if (unknown.length > 0) {
    const known = declared.size === 0 ? "it has none" : `it has ${[...declared.keys()].join(", ")}`;
    throw new Complaint(
      `Cannot set ${unknown.join(", ")}: the cell tagged "parameters" must declare each parameter, but ${known}.`,
    );
  }
  const lines = names.map(
    (name) => `${declared.get(name) ? "const " : ""}${name} = ${JSON.stringify(parameters[name])};`,
  );
  const injected: Cell = {
    id: "injected-parameters",
    cell_type: "code",
    metadata: { tags: ["injected-parameters"] },
    // Without the last line the cell would show the value of its last assignment.
    source: ["// Parameters", ...lines, "void 0;"].join("\n"),
    outputs: [],
    execution_count: null,
  };
  return { ...notebook, cells: [...kept.slice(0, at + 1), injected, ...kept.slice(at + 1)] };
}
