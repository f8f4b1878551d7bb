// Shows that the tests still notice the mistakes they noticed before: puts in the known mistakes of sabotages.json and those
// drawn into sample.json, one at a time, and runs the tests that reach the place until one fails.
//
//   node test/mutants/sample.mjs [--tier fast|all] [--only lib/rule] [--ids lib-7] [--minutes 30] [--exclude pattern]
//       [--groups 8]                              # first the likeliest tests only; a later run goes on with the others
//   node test/mutants/sample.mjs --table             # prints what is known, and judges nothing
//   node test/mutants/sample.mjs --draw 20261126     # rewrites sample.json
//
//   node test/mutants/sample.mjs --sample soft [--again]   # the rooms of soft.json, and the score of each
//
// `--again` asks only about those that no test noticed before, and takes what was killed as killed. `--sample soft --draw 7`
// rewrites soft.json; a mutant that no test can notice says why, as "equivalent".
//
// What was found lies in build/mutants/sample.jsonl, and is asked again only once the tests or the mutant have changed;
// noticed.json keeps which test it was, for every checkout.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { draw, drawRoom } from "./operators.mjs";
import {
  firstFailure,
  makeScratch,
  mutate,
  products,
  reaches,
  reachOf,
  root,
  stateOf,
  withMutant,
} from "./scratch.mjs";

const { values: o } = parseArgs({
  options: {
    draw: { type: "string" },
    sample: { type: "string", default: "sample" },
    again: { type: "boolean" },
    tier: { type: "string", default: "all" },
    only: { type: "string", default: "" },
    ids: { type: "string", multiple: true },
    groups: { type: "string", default: "Infinity" },
    exclude: { type: "string", default: "^$" },
    durations: { type: "string", default: "test/durations.json" },
    minutes: { type: "string", default: "Infinity" },
    results: { type: "string" },
    table: { type: "boolean" },
  },
});
const readText = (file) => (existsSync(file) ? readFileSync(file, "utf8") : "");
const readHere = (name) => JSON.parse(readText(path.join(root, "test/mutants", name)) || "[]");
const below = (folder) =>
  readdirSync(path.join(root, folder), { recursive: true }).map((name) => path.posix.join(folder, name));

/** Rooms of which no full run of Stryker is known; the configurations and the watch of practice, and what is generated, are not drawn. */
const softRooms = [
  { room: "search", folder: "lib/turnwise/src/search", count: 40 },
  {
    room: "practice",
    folder: "lib/practice/src",
    count: 40,
    without: ["configs/", "watch/", "logs/alarmWorth"],
  },
  { room: "serve", folder: "lib/practice/src/serve", count: 40 },
  { room: "monitor/logs", folder: "lib/practice/src/logs", count: 40 },
  { room: "plot", folder: "lib/turnwise/src/plot", count: 40 },
  { room: "train/expertIteration", folder: "lib/turnwise/src/train/expertIteration", count: 24 },
];

if (o.draw && o.sample === "soft") {
  const drawn = softRooms.flatMap((room) => drawRoom(root, room, Number(o.draw)));
  writeFileSync(path.join(root, "test/mutants/soft.json"), JSON.stringify(drawn, null, 2) + "\n");
  process.exit();
}
if (o.draw) {
  const explained = readHere("equivalent.json");
  const isKnown = (edit) =>
    explained.some((entry) => ["file", "from", "to"].every((k) => entry[k] === edit[k]));
  const drawn = ["lib", "kernel"].flatMap((pkg, i) => draw(root, pkg, [150, 50][i], Number(o.draw), isKnown));
  writeFileSync(path.join(root, "test/mutants/sample.json"), JSON.stringify(drawn, null, 2) + "\n");
  process.exit();
}

/** The package of a file and its room there: the folder below `src`. */
function placeOf(file) {
  const [, pkg, room] = /^(?:lib\/)?([^/]+)\/src\/([^/]+)/.exec(file);
  return { pkg, room };
}

/** Which tests are asked about a package; those of browsers, the site and the notebooks take too long. */
const ofLibraries = /^build\/test\/(lib\/|course\/|readme|cli\/serve)/;
const judges = {
  turnwise: ofLibraries,
  practice: ofLibraries,
  course: ofLibraries,
  kernel: /^build\/test\/(kernel|cli|runner|protocol)\//,
};
const ending = o.tier === "fast" ? /\/[^./]+\.test\.js$/ : /\/[^./]+(\.slow)?\.test\.js$/;
const tests = below("build/test")
  .filter((file) => ending.test(file) && !new RegExp(o.exclude).test(file))
  .sort();
const suite = stateOf(tests);
/** All that is loaded besides the tests themselves. */
const loaded = ["build/test", ...products].flatMap(below);
const state = stateOf(loaded.filter((file) => /(?<!\.test)\.js$/.test(file)));

/** Files of one folder that take less than a second run together, up to five seconds; others alone. */
const groups = [];
const durations = JSON.parse(readText(path.resolve(root, o.durations)) || "{}");
for (const file of tests) {
  const seconds = durations[path.relative("build/test", file).replace(/js$/, "ts")] ?? 0.5;
  const ms = 1000 * seconds;
  const isSlow = file.includes(".slow.");
  const room = file.split("/").slice(2, -1).slice(0, 2).join("/");
  const fits = (other) => other.room === room && other.isSlow === isSlow && other.isShared;
  const last = groups.findLast(fits);
  if (ms < 1000 && last && last.ms + ms <= 5000) {
    last.files.push(file);
    last.ms += ms;
  } else groups.push({ room, isSlow, isShared: ms < 1000, files: [file], ms });
}

/** Which test noticed a mutant last, and null for those that no test noticed: asked first, so that asking again is quick. */
const noticedFile = path.join(root, "test/mutants/noticed.json");
const noticed = JSON.parse(readText(noticedFile) || "{}");
const compiled = (test) => `build/test/${test.replace(/ts$/, "js")}`;

/** The folders of tests that belong to a room of a package. */
function nearOf({ pkg, room }) {
  if (pkg === "turnwise") return [`lib/${room}`];
  if (pkg === "kernel") return ["kernel", `kernel/${room}`, room];
  // The command serves worlds.
  return [`lib/${pkg}`, pkg, ...(room === "serve" ? ["cli"] : [])];
}

/** The groups that may judge a mutant: what noticed it last, its file's own, those of its room, others from the quickest on; the slow tier last. */
function judgesOf({ id, file }) {
  const place = placeOf(file);
  const near = nearOf(place);
  const last = noticed[id] && compiled(noticed[id]);
  const isNamed = (test) => path.basename(test).split(".")[0] === path.basename(file, ".ts");
  const isNear = (other) => near.includes(other);
  // Quick tests of other rooms seldom reach the place: a run of a few groups would ask nobody.
  const cost = ({ isSlow, files, room: other, ms }) =>
    files.includes(last) ? -1 : 1e9 * isSlow + 1e6 * !isNear(other) + ms * (files.some(isNamed) ? 0.01 : 1);
  return groups
    .filter(({ files }) => judges[place.pkg].test(files[0]))
    .sort((a, b) => cost(a) - cost(b))
    .map((group) => ({
      ...group,
      ordered: [...group.files].sort((a, b) => (b === last) - (a === last) || isNamed(b) - isNamed(a)),
    }));
}

/** The first test that notices a mutant: a few seconds of tests in the first run, and twice as many in each later one. */
async function judge(mutant, edit) {
  const order = judgesOf(mutant).slice(mutant.groups, Number(o.groups));
  let [batch, ms, limit, asked] = [[], 0, 2000, 0];
  for (const [i, { files, ordered, isSlow }] of order.entries()) {
    const reach = await reachOf(files, state);
    if (reaches(reach, edit)) {
      batch.push(...ordered.filter((file) => !reach.broken.includes(file)));
      ms += reach.ms;
    }
    if (batch.length === 0 || (ms < limit && order[i + 1]?.isSlow === isSlow)) continue;
    asked += batch.length;
    const failure = await withMutant(edit, (env) => firstFailure(batch, 20_000 + 5 * ms, env));
    if (failure) return { status: "killed", tier: isSlow ? "all" : "fast", asked, ...failure };
    [batch, ms, limit] = [[], 0, Math.min(2 * limit, 30_000)];
  }
  if (asked > 0) return { status: "survived", asked, groups: mutant.groups + order.length };
  // A thread that is ended tells little of what it has called: its room's tests are asked all the same.
  const own = order.filter(({ files }) =>
    files[0].includes(`/${mutant.file.split("/src/")[1].split("/")[0]}/`),
  );
  const files = own.flatMap(({ ordered }) => ordered);
  const failure = files.length > 0 && (await withMutant(edit, (env) => firstFailure(files, 120_000, env)));
  if (failure) return { status: "killed", tier: "fast", asked: files.length, ...failure };
  return { status: "survived", asked: files.length, groups: mutant.groups + order.length };
}

const known =
  o.sample === "sample"
    ? readHere("sabotages.json").map((mutant) => ({ ...mutant, room: "known mistakes" }))
    : [];
const drawn = readHere(`${o.sample}.json`).map((mutant) => {
  const { pkg, room } = placeOf(mutant.file);
  return { room: `${pkg}/${room}`, ...mutant };
});
const chosen = [...known, ...drawn].filter(
  ({ id, file, room }) =>
    (!o.ids || o.ids.includes(id)) && [file, room, id].some((name) => name.startsWith(o.only)),
);
const resultsFile = path.resolve(root, o.results ?? `build/mutants/${o.sample}.jsonl`);
const lines = readText(resultsFile).split("\n").filter(Boolean);
const results = new Map(lines.map((line) => JSON.parse(line)).map((result) => [result.id, result]));

if (!o.table) {
  makeScratch();
  const todo = [];
  for (const mutant of chosen) {
    const { suite: before, status, ...same } = results.get(mutant.id) ?? {};
    if (o.again && (status === "killed" || mutant.equivalent)) continue;
    const wasAsked = before === suite && ["search", "replace"].every((k) => mutant[k] === same[k]);
    const from = wasAsked && !o.again ? (same.groups ?? 0) : 0;
    if (!wasAsked || (status === "survived" && from < Math.min(Number(o.groups), judgesOf(mutant).length)))
      todo.push({ ...mutant, groups: from });
  }
  console.log(`${todo.length} mutants to judge of ${chosen.length}, ${groups.length} groups of tests`);
  mkdirSync(path.dirname(resultsFile), { recursive: true });
  const start = Date.now();
  for (const [i, mutant] of todo.entries()) {
    const began = Date.now();
    if (began - start > 60_000 * Number(o.minutes)) break;
    const edit = mutate(mutant);
    const outcome = edit ? await judge(mutant, edit) : { status: "no longer applies" };
    const { id, file, search, replace } = mutant;
    const seconds = (Date.now() - began) / 1000;
    const result = { id, mutant: file, search, replace, suite, seconds, ...outcome };
    results.set(id, result);
    appendFileSync(resultsFile, JSON.stringify(result) + "\n");
    if (outcome.by) noticed[id] = outcome.by.replace("build/test/", "").replace(/js$/, "ts");
    else if (outcome.status === "survived" && outcome.groups === judgesOf(mutant).length) noticed[id] = null;
    const left = ((Date.now() - start) / (i + 1) / 60_000) * (todo.length - i - 1);
    console.log(
      `${i + 1}/${todo.length} ${id} ${file} ${outcome.status} ${outcome.title ?? ""} (${seconds.toFixed()} s, ${left.toFixed()} min left)`,
    );
  }
  const ordered = Object.keys(noticed).sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  writeFileSync(
    noticedFile,
    `${JSON.stringify(Object.fromEntries(ordered.map((id) => [id, noticed[id]])), null, 2)}\n`,
  );
}

const judged = chosen
  .filter(({ id }) => results.has(id))
  .map((mutant) => ({ ...mutant, ...results.get(mutant.id) }));
const row = (name, mutants) => {
  const count = (fits) => mutants.filter(fits).length;
  const [fast, slow] = ["fast", "all"].map((tier) => count((mutant) => mutant.tier === tier));
  const [lived, same] = [false, true].map((isSame) =>
    count(({ status, equivalent }) => status === "survived" && Boolean(equivalent) === isSame),
  );
  const gone = count(({ status }) => /longer/.test(status));
  if (o.sample === "sample") return [name, mutants.length, fast, fast + slow, same, lived, gone];
  const killed = fast + slow;
  const score = killed + lived === 0 ? "-" : `${((100 * killed) / (killed + lived)).toFixed(1)}%`;
  return [`\`${name}/\``, mutants.length, killed, same, lived, gone, score];
};
const rooms = [...new Set(judged.map(({ room }) => room))].sort();
const table = [
  o.sample === "sample"
    ? ["room", "mutants", "killed by fast", "by all", "equivalent", "survived", "no longer applies"]
    : ["room", "mutants", "killed", "equivalent", "survived", "no longer applies", "score"],
  ["---", ...Array(6).fill("--:")],
  ...rooms.map((name) =>
    row(
      name,
      judged.filter(({ room }) => room === name),
    ),
  ),
  row("together", judged),
];
console.log(table.map((cells) => `| ${cells.join(" | ")} |`).join("\n"));
for (const { id, mutant, status, asked = 0, title, from, to, search, replace, equivalent } of judged)
  if (status !== "killed" && !equivalent)
    console.log(
      `\n${id} ${mutant} ${status} (${asked} files of tests) ${title ?? ""}\n${(from ?? search).trim()}\n  -> ${(to ?? replace).trim()}`,
    );
const killed = judged.filter(({ status }) => status === "killed").length;
const alive = judged.filter(({ status, equivalent }) => status === "survived" && !equivalent);
const lived = alive.filter((mutant) => mutant.groups === judgesOf(mutant).length);
// test/MATRIX.md keeps the last line.
console.log(
  `\n${killed} killed, ${lived.length} survived every group, ${alive.length - lived.length} open, as other groups are still ` +
    `to be asked, ${judged.length - killed - alive.length} equivalent or no longer there, ${chosen.length - judged.length} not judged`,
);
// A known mistake was noticed once: a run fails if no test notices it any more.
if (lived.some(({ room }) => room === "known mistakes")) process.exitCode = 1;
