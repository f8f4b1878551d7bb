#!/usr/bin/env node
// Trains by src/train/plain.ts, the algorithm as one loop, and prints how the mean return grows: node lib/turnwise/bin/plain.cjs grpo seeUpo
const { plainTrain, recipe } = require("..");

const names = process.argv.slice(2);
const every = 20;

/** As in the root README: a policy that knows the syntax of calls, and plain gradient descent. */
const setting = (name) => ({
  env: "LookUp-v0",
  policy: { syntaxPrior: 3 },
  recipe: recipe(name, { update: { optimizer: { kind: "sgd", learningRate: 8 } } }),
  updates: 100,
  seed: 1,
});

try {
  for (const name of names.length > 0 ? names : ["grpo", "seeUpo"]) {
    for (const { update, optimizerSteps, metrics } of plainTrain(setting(name))) {
      if (update > 1 && update % every > 0) continue;
      const mean = metrics["reward/mean"].toFixed(3);
      console.log(`${name}: update ${update}, ${optimizerSteps} steps, mean return ${mean}`);
    }
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
