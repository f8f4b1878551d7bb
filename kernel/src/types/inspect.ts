import ts from "typescript";
import type { QuickInfo } from "./engine.js";
import { lateDocumentation } from "./late-documentation.js";

const longestDeclaration = 1_500;
const shownWhole = new Set<string>([
  ts.ScriptElementKind.interfaceElement,
  ts.ScriptElementKind.typeElement,
  ts.ScriptElementKind.enumElement,
]);

/** Information of TypeScript about the name at a place of a file; undefined if there is none, or none that was declared. */
export function inspectAt(service: ts.LanguageService, file: string, at: number): QuickInfo | undefined {
  const info = service.getQuickInfoAtPosition(file, at);
  if (!info || ts.displayPartsToString(info.displayParts) === "any") return undefined;
  const definitions = service.getDefinitionAtPosition(file, at) ?? [];
  if (!info.documentation?.length) Object.assign(info, lateDocumentation(definitions));
  const tags = (info.tags ?? [])
    // TypeScript takes the first word of a source for a name and puts a space behind it.
    .map((tag) => `@${tag.name} ${ts.displayPartsToString(tag.text).replace(/^(\S+) ,/, "$1,")}`.trim())
    .join("\n\n");
  const told = ts.displayPartsToString(info.displayParts);
  const signature = declarationOf(definitions, service) ?? declared(told);
  return {
    signature,
    text: quickInfoText(signature, info),
    documentation: [ts.displayPartsToString(info.documentation), tags]
      .filter((part) => part !== "")
      .join("\n\n"),
  };
}

/** The printed part of a quick info, of any TypeScript. */
interface Documented {
  readonly documentation?: readonly { readonly text: string }[];
  readonly tags?: readonly { readonly name: string; readonly text?: readonly { readonly text: string }[] }[];
}

/** A signature with its documentation below, as plain text. */
export function quickInfoText(signature: string, { documentation = [], tags = [] }: Documented): string {
  const told = tags.map(({ name, text = [] }) => {
    const whole = text.map((part) => part.text).join("");
    return name === "param" && whole !== "" ? `@param ${whole}` : whole;
  });
  const lines = [...documentation.map(({ text }) => text), ...told.filter((line) => line !== "")];
  const isDocumented = documentation.length > 0 || tags.length > 0;
  return [signature, ...(isDocumented ? [""] : []), ...lines].join("\n");
}

/** An import is told as what it imports. */
function declared(told: string): string {
  return told.replace(/^\(alias\) /, "").replace(/\nimport .*$/, "");
}

/** The text of an interface, a type or an enum: its name alone says little. */
function declarationOf(
  definitions: readonly ts.DefinitionInfo[],
  service: ts.LanguageService,
): string | undefined {
  const [definition] = definitions;
  if (!definition?.contextSpan || !shownWhole.has(definition.kind)) return undefined;
  const file = service.getProgram()?.getSourceFile(definition.fileName);
  const { start, length } = definition.contextSpan;
  const text = file?.text.slice(start, start + length).replace(/^(?:export |declare )+/, "");
  return text === undefined || text.length > longestDeclaration ? undefined : text.trim();
}
