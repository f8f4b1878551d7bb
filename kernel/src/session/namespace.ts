type Namespace = Record<string, unknown>;

/**
 * The namespace of a CommonJS module as TypeScript's `esModuleInterop` defines it. A module that says it was an ES module, but
 * has no default, gives `module.exports` as the default, as Node does: `import rx from "rxjs"`.
 */
export function commonJsNamespace(exported: Namespace): Namespace {
  if (exported.__esModule && "default" in exported) return exported;
  return Object.create(exported, { default: { value: exported, enumerable: true } }) as Namespace;
}

/** Whether Node made this namespace of a CommonJS module's exports: an ES module around them has names that they lack. */
export function isOfExports(namespace: Namespace, exported: object): boolean {
  return Object.keys(namespace).every((name) => name in exported || fromNode.has(name));
}

/** Names that Node adds to a CommonJS module. */
const fromNode = new Set(["default", "module.exports", "__esModule"]);
