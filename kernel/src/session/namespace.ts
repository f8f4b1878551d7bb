type Namespace = Record<string, unknown>;

/** The namespace of a CommonJS module as TypeScript's `esModuleInterop` defines it. */
export function commonJsNamespace(exported: Namespace): Namespace {
  if (exported.__esModule) return exported;
  return Object.create(exported, { default: { value: exported, enumerable: true } }) as Namespace;
}
