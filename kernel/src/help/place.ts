import type ts from "typescript";
import type { KnownPackage } from "./known-packages.js";

/** Part of TypeScript that help uses: its parser alone. */
export type Parser = Pick<
  typeof ts,
  | "createSourceFile"
  | "getLeadingCommentRanges"
  | "isClassDeclaration"
  | "isExportDeclaration"
  | "isFunctionDeclaration"
  | "isInterfaceDeclaration"
  | "isNamedExports"
  | "isNamespaceExport"
  | "isStringLiteral"
  | "isTypeAliasDeclaration"
  | "isVariableStatement"
  | "ScriptTarget"
>;

/** Source of declarations, and their reader. */
export interface Declarations {
  readonly typescript: Parser;
  exists(path: string): boolean;
  read(path: string): string;
  join(...parts: string[]): string;
  dirname(path: string): string;
}

/** A package that cells know. */
export interface InstalledLibrary {
  readonly package: KnownPackage;
  /** Exports of a tier of it; undefined as long as they are unknown. */
  load(tier: string): Record<string, unknown> | undefined;
}

/** Places in which help finds the packages that cells know: the disk, or the packed files of a page. */
export interface HelpPlace extends Declarations {
  libraries(): readonly InstalledLibrary[];
  /** The declarations of the kernel's own module. */
  readonly kernel: string;
  /** Entry of a name in an index of all names, in Markdown. */
  index(file: string, tier: string, name: string): string | undefined;
}
