import ts from "typescript";
import { plain } from "./sleep.js";

// What TypeScript knows of its own nodes and does not declare.
type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Known = Record<string, unknown>;
type Bind = (file: ts.SourceFile, options: ts.CompilerOptions) => void;
const { bindSourceFile } = ts as unknown as { bindSourceFile: Bind };

/** Parts of a declaration that are read only when something needs its type. */
const innards = ["typeParameters", "parameters", "type", "initializer", "body", "locals", "jsDoc"] as const;
const isInnard = new Set<string>([...innards, "nextContainer"]);

/** A library of which declarations doze, with the parser that reads it again. */
interface Dozing {
  parse(): ts.SourceFile;
  /** The library as it was last read, as long as there is room for it. */
  read?: WeakRef<ts.SourceFile> | undefined;
}

const dozing = new WeakMap<ts.Node, Dozing>();
const prototypes = new Map<object, object>();

/**
 * Lets the declarations of a library doze that must stay in the program, as it adds to the globals or to other modules: what
 * has a name stays, with its symbol, and the type behind the name is read again when a cell asks for it.
 */
export function letDoze(file: ts.SourceFile, parse: () => ts.SourceFile): void {
  dozing.set(file, { parse });
  const within = (nodes: ts.NodeArray<ts.Node>): void => {
    nodes.forEach((node, i) => {
      if (ts.isVariableStatement(node)) within(node.declarationList.declarations);
      else if (ts.isModuleDeclaration(node)) withinModule(node);
      else if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) within(node.members);
      else if (mayDoze(node)) (nodes as unknown as ts.Node[])[i] = dozer(node);
      (node as unknown as Known).nextContainer = undefined;
    });
  };
  const withinModule = ({ body }: ts.ModuleDeclaration): void => {
    if (body && ts.isModuleBlock(body)) within(body.statements);
    else if (body && ts.isModuleDeclaration(body)) withinModule(body);
  };
  within(file.statements);
  (file as unknown as Known).nextContainer = undefined;
}

/** Forgets the libraries that were read for what has woken: a snapshot cannot hold them weakly. */
export function forgetRead(files: Iterable<ts.SourceFile>): void {
  for (const file of files) {
    const known = dozing.get(file);
    if (known) known.read = undefined;
  }
}

function mayDoze(node: ts.Node): boolean {
  return (
    ts.isTypeElement(node) ||
    ts.isClassElement(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  );
}

/** The same declaration without what is inside, in its place among those who know it. */
function dozer(node: ts.Node): ts.Node {
  const own = node as unknown as Known;
  const made = Object.create(dozingPrototype(Object.getPrototypeOf(node) as object)) as Known;
  for (const name of Object.keys(own)) if (!isInnard.has(name)) made[name] = own[name];
  const placed = made as unknown as ts.Node;
  const adopt = (child: ts.Node): void => {
    (child as Mutable<ts.Node>).parent = placed;
  };
  for (const value of Object.values(made)) {
    if (Array.isArray(value)) value.filter(isChildOf(node)).forEach(adopt);
    else if (isChildOf(node)(value)) adopt(value);
  }
  // An exported name has a second symbol, under which its own module knows it.
  for (const symbol of [own.symbol, own.localSymbol] as (Mutable<ts.Symbol> | undefined)[]) {
    if (!symbol) continue;
    symbol.declarations = symbol.declarations?.map((one) => (one === node ? placed : one) as ts.Declaration);
    if (symbol.valueDeclaration === node) symbol.valueDeclaration = placed as ts.Declaration;
  }
  return placed;
}

function isChildOf(node: ts.Node): (value: unknown) => value is ts.Node {
  return (value): value is ts.Node =>
    typeof value === "object" && value !== null && (value as { parent?: unknown }).parent === node;
}

/** One prototype for all nodes of a kind, so that dozing costs none of them a property of its own. */
function dozingPrototype(of: object): object {
  let made = prototypes.get(of);
  if (!made) {
    made = Object.create(of) as object;
    for (const name of innards) {
      Object.defineProperty(made, name, {
        configurable: true,
        get(this: Known) {
          wake(this as unknown as ts.Node);
          return this[name];
        },
        set(this: Known, value: unknown) {
          plain(this, name, value);
        },
      });
    }
    prototypes.set(of, made);
  }
  return made;
}

/** Takes what is inside of a declaration from the library, read again. */
function wake(node: ts.Node): void {
  for (const name of innards) plain(node, name, undefined);
  let file = node.parent;
  while (!ts.isSourceFile(file)) file = file.parent;
  const known = dozing.get(file)!;
  let read = known.read?.deref();
  if (!read) {
    read = known.parse();
    bindSourceFile(read, {});
    separate(read);
    known.read = new WeakRef(read);
  }
  const whole = counterpart(read, node);
  if (!whole) return;
  for (const name of innards) {
    const value = (whole as unknown as Known)[name];
    if (value === undefined) continue;
    plain(node, name, value);
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isChildOf(whole)(child)) (child as Mutable<ts.Node>).parent = node;
    }
  }
}

/** Cuts the chain that TypeScript makes of all nodes with names: what one declaration takes would keep all others. */
function separate(file: ts.SourceFile): void {
  for (let at: Known | undefined = file as unknown as Known; at;) {
    const next = at.nextContainer as Known | undefined;
    at.nextContainer = undefined;
    at = next;
  }
}

/** The node of the same kind at the same place. */
function counterpart(root: ts.Node, { kind, pos, end }: ts.Node): ts.Node | undefined {
  let at: ts.Node | undefined = root;
  while (at && !(at.kind === kind && at.pos === pos && at.end === end)) {
    at = ts.forEachChild(at, (child) => (child.pos <= pos && end <= child.end ? child : undefined));
  }
  return at;
}
