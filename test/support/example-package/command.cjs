"use strict";

/** `turnwise area <side>`. */
exports.run = (args, { command, program }) => {
  const side = Number(args[0]);
  if (args.includes("--help")) process.stdout.write(`Usage: ${program} ${command} <side>\n`);
  else if (Number.isFinite(side)) process.stdout.write(`${side * side}\n`);
  else throw new RangeError(`Cannot compute the area: the side must be a number, got ${args[0]}.`);
  return 0;
};
