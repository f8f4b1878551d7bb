import type ts from "typescript";
import type { KnownPackage } from "./known-packages.js";

/** What help uses of TypeScript: its parser alone. */
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

/** Where declarations are read, and what reads them. */
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
  /** What a tier of it exports; undefined as long as that cannot be told. */
  load(tier: string): Record<string, unknown> | undefined;
}

/** Where help finds the packages that cells know: the disk, or what a page has packed. */
export interface HelpPlace extends Declarations {
  libraries(): readonly InstalledLibrary[];
  /** The declarations of the kernel's own module. */
  readonly kernel: string;
  /** Where an index of all names tells of one of them, in Markdown. */
  index(file: string, tier: string, name: string): string | undefined;
}
