"use strict";
// npm run site [-- --with <package> ...] [--serve [--port <number>]]: builds the site, prints its sizes, and shows it.

require("./prepare.cjs").prepare(["lib", "kernel"], async (root, args) => {
  const { makeSite } = require("../site/make.cjs");
  const { printSizes } = require("../site/sizes.cjs");
  const { asked } = require("../site/packages.cjs");
  const out = await makeSite(root, { packages: asked(args) });
  printSizes(out);
  if (!args.includes("--serve")) return 0;
  const { serve } = require("../site/serve.cjs");
  const at = args.indexOf("--port");
  const server = await serve(out, { port: at < 0 ? 8000 : Number(args[at + 1]) });
  process.stdout.write("The site is at http://localhost:" + server.address().port + "/  (Ctrl-C ends it)\n");
  return undefined;
});
