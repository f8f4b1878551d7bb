"use strict";
// Who may import whom, types included. `npm run check` enforces it; test/lib/architecture.test.ts shows that each rule can fail.

const { carriedBy } = require("./kernel/bootstrap/carried.cjs");

const floors = Object.fromEntries(
  Object.entries(require("./.ci/floors.cjs")).map(([name, rooms]) => [name, rooms.map(Object.keys)]),
);

/** The only places of the library that may use Node's own modules; all the rest also runs in a browser. */
const nodeInLib = [
  // Beside each, browser.ts does the same in a page: lib/turnwise/package.json says which one is meant by a name such as #files.
  "^lib/(turnwise|course)/src/.*/node\\.ts$",
  "^lib/turnwise/src/sweep/(command/.*|worker|quickStart|endable)\\.ts$",
  // The command, which runs on Node alone.
  "^lib/turnwise/src/command/",
  "^lib/(practice|course)/src/commands/",
  "^lib/turnwise/src/tensor/backends/addon\\.ts$",
  // A server, and the thread that talks to one.
  "^lib/practice/src/serve/node/",
];

/** `course` of `lib/course`. */
const nameOf = (workspace) => workspace.split("/").at(-1);

const inRooms = (workspace, rooms) => `^${workspace}/src/(${rooms.join("|")})/`;

function floorRules(workspace) {
  return floors[workspace].flatMap((rooms, floor) =>
    rooms.map((room) => {
      const below = floors[workspace].slice(0, floor).flat();
      const may = [room, ...below];
      return {
        name: `${nameOf(workspace)}-${room}-imports-from-below`,
        comment:
          `${workspace}/src/${room}/ may import from ${below.join(", ") || "no other room"}. Move what it needs down to a room ` +
          `that both may import, or hand it over as an argument.`,
        severity: "error",
        from: { path: inRooms(workspace, [room]) },
        to: { path: `^${workspace}/src/`, pathNot: inRooms(workspace, may) },
      };
    }),
  );
}

const knownRoom = (workspace) => ({
  name: `${nameOf(workspace)}-room-has-a-floor`,
  comment: `Add the new room to a floor of ${workspace} in .ci/floors.cjs.`,
  severity: "error",
  from: { path: `^${workspace}/src/[^/]+/`, pathNot: inRooms(workspace, floors[workspace].flat()) },
  to: {},
});

/** Which packages a package may import. */
const mayImport = {
  "lib/turnwise": [],
  "lib/practice": ["lib/turnwise"],
  "lib/course": ["lib/turnwise", "lib/practice"],
  kernel: [],
  site: ["lib/turnwise", "lib/practice", "lib/course", "kernel"],
};

/** The packages that a package may not import; the site may import all. */
const refusedBy = (workspace) =>
  Object.keys(mayImport).filter((other) => other !== workspace && !mayImport[workspace].includes(other));

const packageRules = Object.entries(mayImport)
  .filter(([workspace]) => refusedBy(workspace).length > 0)
  .map(([workspace, others]) => ({
    name: `${nameOf(workspace)}-imports-packages-below`,
    comment:
      `${workspace} may import from ${others.join(" and ") || "no other package of this repository"}. Return an object with ` +
      '[Symbol.for("Jupyter.display")]() instead of asking the kernel to show something.',
    severity: "error",
    from: { path: `^${workspace}/src/` },
    to: { path: refusedBy(workspace).map((other) => `^${other}/`) },
  }));

module.exports = {
  forbidden: [
    ...Object.keys(floors).flatMap(floorRules),
    ...Object.keys(floors).map(knownRoom),
    ...packageRules,
    {
      name: "no-circles",
      comment:
        "Files that import each other can only be read together. Move what both need, often a type, into a file of its own.",
      severity: "error",
      from: { path: "^(lib/\\w+|kernel|site)/src/" },
      to: { circular: true },
    },
    {
      name: "kernel-processes-apart",
      comment:
        "The front, the session and the type service are processes of their own, and clients talk to none but the front. Send " +
        "a message: session/messages.ts and types/messages.ts declare them.",
      severity: "error",
      from: { path: inRooms("kernel", ["front", "client", "runner", "cli"]) },
      to: {
        path: inRooms("kernel", ["session", "types", "widgets", "help"]),
        pathNot:
          "^kernel/src/(session/messages|types/(messages|engine|snapshot)|help/(suggest|declared|known-packages|packages-on-disk))\\.ts$",
      },
    },
    {
      name: "lib-runs-in-a-browser",
      comment:
        "Only files named node.ts, the command of sweeps, the start of its threads, the loader of native backends and servers may use Node's modules. Ask #files, #path or #machine, or let the caller hand in what is read.",
      severity: "error",
      from: { path: "^lib/\\w+/src/", pathNot: nodeInLib },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "site-has-no-node",
      comment:
        "site/src/ runs in a web page: no file of it imports Node's modules. Divide the file that does in what both hosts share and what is Node's; what stands for a whole module lies in site/src/library/node/.",
      severity: "error",
      from: { path: "^site/src/" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "resolvable",
      comment: "Install the package, declare it in the workspace's package.json, or correct the path.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    ...Object.keys(floors).map((workspace) => ({
      name: "declared",
      comment:
        "List the package in the dependencies of the workspace that imports it, or in kernel/bootstrap/carried.cjs: users have no devDependencies.",
      severity: "error",
      from: { path: `^${workspace}/src/` },
      to: {
        dependencyTypes: ["npm-no-pkg", "npm-unknown", "npm-dev"],
        dependencyTypesNot: ["npm-peer"],
        pathNot: carriedBy(workspace).map((name) => `(^|/)node_modules/(@types/)?${name}/`),
      },
    })),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: ["node_modules", "^lib/turnwise/vendor/", "^kernel/bootstrap/"] },
    combinedDependencies: false,
    // Some packages export a file for Node alone.
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["node", "require", "import", "default", "types"],
    },
  },
};
