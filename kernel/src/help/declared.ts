/**
 * The field `jupyterKernel` of a package.json: what a package tells the kernel. kernel/PACKAGES.md describes each part.
 */
export interface JupyterKernelField {
  /** Paths of `exports` that cells do not import, such as `./jobs`: they are not completed, and hints do not name them. */
  readonly internal?: readonly string[];
  /** Entry points whose declarations are read before the first cell; their code does not run. */
  readonly warmUp?: readonly string[];
  readonly hints?: {
    /** Types that must be awaited, besides `Promise`: their misuse gets the hint "Did you forget await?". */
    readonly awaitable?: readonly string[];
    /** Types with nested options: an option written too far outside gets a hint that shows where it belongs. */
    readonly nested?: readonly NestedOptions[];
  };
  readonly completions?: {
    /** A union of string types, in which names are imported by `import("package")`: what `help("` is completed with. */
    readonly help?: string;
  };
  /** Whether `help(...)` may load the package to answer: it registers pages when it is loaded. */
  readonly help?: boolean;
  /** Commands of `turnwise`, by name. The kernel itself does not run them. */
  readonly commands?: Readonly<Record<string, { readonly summary: string; readonly module: string }>>;
  /** A module that exports `examine()`, whose findings `doctor` prints. */
  readonly doctor?: string;
  /** A module that exports `prepare()`, which `install` calls once: it makes things faster, and nothing depends on it. */
  readonly prepare?: string;
}

/** A type with nested options, and the sentence that shows where one of them belongs. */
export interface NestedOptions {
  /** A type that the first entry point of the package exports. */
  readonly type: string;
  /** The hint; `{option}` is replaced by the option inside the objects that it belongs in. */
  readonly hint: string;
}

/** A package.json, as far as the kernel reads it. */
export interface Manifest {
  readonly name: string;
  readonly types?: string;
  readonly exports?: Readonly<Record<string, { readonly types?: string } | string | null>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly workspaces?: readonly string[];
  readonly jupyterKernel?: unknown;
}

type Check = (value: unknown) => string | undefined;

const must =
  (expected: string, test: (value: unknown) => boolean): Check =>
  (value) =>
    test(value) ? undefined : expected;
const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isModule = (value: unknown): boolean =>
  isText(value) && value.startsWith("./") && !value.split("/").includes("..");
const everyEntry = (value: unknown, test: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(test);

const text = must("be a text in one line", (value) => isText(value) && !value.includes("\n"));
const texts = must("be a list of texts", (value) => everyEntry(value, isText));
const modulePath = must('be the path of a module in the package, such as "./dist/doctor.js"', isModule);
const nested = must('be a list of objects { "type", "hint" } of texts', (value) =>
  everyEntry(value, (one) => isObject(one) && isText(one["type"]) && isText(one["hint"])),
);
const commands = must(
  'map the lower-case name of the command to { "summary": text, "module": "./..." }',
  (value) =>
    isObject(value) &&
    Object.entries(value).every(
      ([name, one]) =>
        /^[a-z][a-z0-9-]*$/.test(name) && isObject(one) && isText(one["summary"]) && isModule(one["module"]),
    ),
);

/** Each part of the field, and what it must be; an object holds parts itself. */
interface Parts {
  readonly [name: string]: Check | Parts;
}

const parts: Parts = {
  internal: must('be a list of paths of exports, such as "./jobs"', (value) =>
    everyEntry(value, (one) => isText(one) && one.startsWith(".")),
  ),
  warmUp: must('be a list of paths of exports, such as "."', (value) =>
    everyEntry(value, (one) => isText(one) && one.startsWith(".")),
  ),
  hints: { awaitable: texts, nested },
  completions: { help: text },
  help: must("be true or false", (value) => typeof value === "boolean"),
  commands,
  doctor: modulePath,
  prepare: modulePath,
} satisfies Record<keyof JupyterKernelField, unknown>;

/** Valid part of a package's declaration, and a sentence about each fault in it. */
export function readField(manifest: Manifest): { field: JupyterKernelField; problems: string[] } {
  const problems: string[] = [];
  const read = (given: unknown, known: Parts, path: string): Record<string, unknown> => {
    const refuse = (where: string, what: string, got: unknown): void => {
      const value = JSON.stringify(got) ?? "nothing";
      const shown = value.length > 60 ? `${value.slice(0, 57)}...` : value;
      problems.push(
        `Cannot use "${where}" in the package.json of ${manifest.name}: it must ${what}, got ${shown}.`,
      );
    };
    if (!isObject(given)) {
      refuse(path, "be an object", given);
      return {};
    }
    const kept: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(given)) {
      const part = Object.hasOwn(known, name) ? known[name]! : undefined;
      if (part === undefined) refuse(`${path}.${name}`, `be one of ${Object.keys(known).join(", ")}`, name);
      else if (typeof part === "function") {
        const expected = part(value);
        if (expected === undefined) kept[name] = value;
        else refuse(`${path}.${name}`, expected, value);
      } else kept[name] = read(value, part, `${path}.${name}`);
    }
    return kept;
  };
  return { field: read(manifest.jupyterKernel, parts, "jupyterKernel"), problems };
}
