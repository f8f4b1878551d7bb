// What knip looks for: files, exports and dependencies that nothing uses. Notebooks count as users of the library.
// An export that is reached by its name alone, as a sweep's job is, carries @public in its docstring.

/** The imports of a notebook's code cells, as a module. */
function imports(notebook) {
  const code = JSON.parse(notebook)
    .cells.filter(({ cell_type }) => cell_type === "code")
    .map(({ source }) => [source].flat().join(""))
    .join("\n");
  return [...code.matchAll(/^import\s[^]*?["'][^"'\n]+["'];?$/gm)].map(([statement]) => statement).join("\n");
}

export default {
  include: ["files", "dependencies", "unlisted", "unresolved", "exports", "types", "duplicates"],
  ignoreExportsUsedInFile: true,
  treatConfigHintsAsErrors: false,
  compilers: { ipynb: imports },
  workspaces: {
    ".": {
      entry: [
        "test/**/*.test.ts",
        "test/bench/**/*.{ts,mjs}",
        "test/protocol/pageKernel.ts",
        "test/site/{interrupts,lessons,librarySpeed,speedOnNode,typesSpeed,viewSpeed}.ts",
        "test/support/{runTests.ts,runNodes.ts,*.cjs}",
        "test/{engines,gpu}/tell.ts",
        "test/trl/{main,picture}.ts",
        "test/conformance/cells/{main,tell}.ts",
        "test/lib/sweep/{failing,interrupted,jobs}.ts",
        "test/mutants/*",
        "test/support/example-package/*",
        ".ci/*.{cjs,mjs}",
        "datasets/**/*.cjs",
        "notebooks/**/*.ipynb",
      ],
      project: ["test/**/*.{ts,cjs,mjs}", ".ci/**/*.{cjs,mjs}", "datasets/**/*.cjs", "notebooks/**/*.ipynb"],
      ignoreDependencies: [
        // Read by the generators in kernel/scripts and lib/vendor.
        ...["@jupyter-widgets/schema", "rollup"],
        // Empty stand-ins for what danfojs-node asks for and this repository must not install.
        ...["@tensorflow/tfjs-node", "mathjs", "request"],
        // Dependencies of the workspaces that are tested.
        ...["@sinclair/typebox", "hyparquet", "markdown-it", "tslab", "vega", "vega-lite", "ws", "zeromq"],
        // Imported by cells that tests run.
        "@tensorflow/tfjs-layers",
        // Copied beside the decks of slides.
        "reveal.js",
        // Comes with Stryker.
        "@stryker-mutator/api",
      ],
      ignoreUnresolved: ["file://.*"],
    },
    "lib/turnwise": {
      entry: ["native/{addon,packages}.cjs", "vendor/*-shim/index.js"],
      project: ["src/**/*.{ts,ipynb}"],
      includeEntryExports: true,
      ignoreDependencies: ["danfojs-node"],
    },
    "lib/practice": { includeEntryExports: true },
    "lib/course": { includeEntryExports: true },
    // The command finds the library where it is installed.
    kernel: {
      entry: ["src/**/main.ts"],
      project: ["src/**/*.{ts,ipynb}"],
    },
    site: {
      entry: [
        "builder/{main,make,library,speed,declarations}.cjs",
        // Bundled by the builder.
        "src/**/main.ts",
        "src/library/{danfojs,helper,jobs,setUp}.ts",
        "src/library/{lazy,node}/*.ts",
        "src/types/{compiler,help,prepare}.ts",
      ],
      project: ["src/**/*.ts", "builder/*.cjs"],
      // Bundled from their sources, and for cells, as packages.json says.
      ignoreDependencies: ["d3-array", "@types/d3-array"],
    },
  },
  ignoreIssues: {
    // Public tiers beyond the first: their names are for readers, not for us alone.
    "lib/turnwise/src/{exact,plot,card,verdict}/**/index.ts": ["exports", "types"],
    "lib/{practice,course}/src/**/index.ts": ["exports", "types"],
    "lib/turnwise/{moved,vendor}/**": ["exports"],
    "lib/turnwise/src/tensor/index.ts": ["exports", "types"],
    "lib/turnwise/src/{searchTier,browserTier,browserJobs,browserHelper}.ts": ["exports", "types"],
    // As Node's own module, which is one class under two names.
    "site/src/library/node/events.ts": ["duplicates"],
    // Chosen by a bundler, in place of the node.ts beside it: package.json says so.
    "lib/{turnwise,practice,course}/src/**/browser.ts": ["files", "exports", "types"],
    "lib/turnwise/src/tensor/{fused/embed/embedded,tensorflow/provided,tensorflow/tf}.ts": ["exports"],
    // Run by the command, which finds them in package.json.
    "lib/turnwise/src/command/*.ts": ["exports"],
    "lib/{practice,course}/src/commands/*.ts": ["exports"],
    // What `advantages()` gives, for readers.
    "lib/turnwise/src/rule/index.ts": ["types"],
    "kernel/src/widgets/generated.ts": ["exports", "types"],
  },
};
