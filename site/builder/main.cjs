"use strict";
// npm run site [-- --with <package> ...] [--with-solutions] [--serve [--port <number>]]: builds the site, prints its sizes, and shows it.

const known = ["--with", "--with-solutions", "--serve", "--port"];

/** Refuses what is no option, so that a misspelled one builds no other site than was meant. */
function refuseUnknown(args) {
  const { Complaint } = require("../../kernel/bootstrap/steps.cjs");
  const { suggest } = require("turnwise-kernel/internal/help/suggest");
  const unknown = args.find(
    (word, i) => !known.includes(word) && !["--with", "--port"].includes(args[i - 1]),
  );
  if (unknown === undefined) return;
  const [near] = suggest(unknown, known);
  throw new Complaint(
    `Cannot build the site: its options must be ${known.join(", ")}, got "${unknown}".`,
    near ? `Did you mean: ${near}` : undefined,
  );
}

require("../../kernel/bootstrap/prepare.cjs").prepare(
  ["lib/turnwise", "lib/practice", "lib/course", "kernel", "site"],
  async (root, args) => {
    refuseUnknown(args);
    const { makeSite } = require("./make.cjs");
    const { printSizes } = require("./sizes.cjs");
    const { asked } = require("./packages.cjs");
    const out = await makeSite(root, {
      packages: asked(args),
      withSolutions: args.includes("--with-solutions"),
    });
    printSizes(out);
    if (!args.includes("--serve")) return 0;
    const { serve } = require("./serve.cjs");
    const at = args.indexOf("--port");
    const server = await serve(out, { port: at < 0 ? 8000 : Number(args[at + 1]) });
    process.stdout.write(
      "The site is at http://localhost:" + server.address().port + "/  (Ctrl-C ends it)\n",
    );
    return undefined;
  },
);
