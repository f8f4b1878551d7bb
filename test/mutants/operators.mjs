// Finds the places of a source where one small mistake can be put in, and draws a sample of them.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

const flipped = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "+=": ["-="],
  "-=": ["+="],
  "&&": ["||"],
  "||": ["&&"],
};

const isText = (node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
const skipped = ["isTypeNode", "isImportDeclaration", "isExportDeclaration", "isInterfaceDeclaration"].concat(
  ["isTypeAliasDeclaration", "isTypeParameterDeclaration", "isThrowStatement"],
);
/** Messages, types, and what only connects modules. */
const isSkipped = (node) =>
  isText(node) ||
  skipped.some((is) => ts[is](node)) ||
  (ts.isNewExpression(node) && /Error$/.test(node.expression.getText()));

const conditionOf = (node) =>
  ts.isIfStatement(node) || ts.isWhileStatement(node)
    ? node.expression
    : ts.isConditionalExpression(node)
      ? node.condition
      : undefined;

/** Every mutant of a source, as the text from `start` to `end` and what takes its place. */
export function mutantsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const found = [];
  const put = (node, to, operator) =>
    found.push({ start: node.getStart(), end: node.getEnd(), to, operator });
  const visit = (node) => {
    if (isSkipped(node)) return;
    if (ts.isBinaryExpression(node) && !isText(node.left) && !isText(node.right))
      for (const to of flipped[node.operatorToken.getText()] ?? []) put(node.operatorToken, to, "operator");
    const condition = conditionOf(node);
    if (condition)
      // A loop that never ends tells nothing.
      for (const to of ts.isWhileStatement(node) ? ["false"] : ["true", "false"])
        put(condition, to, "condition");
    if (ts.isNumericLiteral(node) && node.parent.name !== node)
      put(node, `${Number(node.text.replaceAll("_", "")) + 1}`, "number");
    if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) put(node, ";", "call");
    if (ts.isFunctionLike(node) && node.body?.statements?.length > 0 && !ts.isConstructorDeclaration(node))
      found.push({
        start: node.body.getStart(),
        end: node.body.getStart() + 1,
        to: "{ return undefined as never;",
        operator: "return",
      });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The edit as whole lines that occur once in the source, so that it is found again when other lines have changed. */
export function asEdit(text, { start, end, to }) {
  let first = text.lastIndexOf("\n", start - 1) + 1;
  const last = text.indexOf("\n", end) === -1 ? text.length : text.indexOf("\n", end);
  const occursTwice = () => text.split(text.slice(first, last)).length > 2;
  while (first > 0 && occursTwice()) first = text.lastIndexOf("\n", first - 2) + 1;
  const search = text.slice(first, last);
  return { search, replace: text.slice(first, start) + to + text.slice(end, last) };
}

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function shuffle(list, random) {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}

/** Runs in browsers only, is generated, or only connects. */
const isLeftOut = (file) => /browser|generated|fused\/binary\.ts|index\.ts$|^[^/]*$/i.test(file);

/** The files of a folder that can be changed, each with its mutants in random order. */
function filesOf(root, folder, random, isLeft, isKnown = () => false) {
  return readdirSync(path.join(root, folder), { recursive: true })
    .sort()
    .filter((name) => /(?<!\.d)\.ts$/.test(name) && !isLeft(name))
    .map((name) => {
      const file = path.posix.join(folder, name);
      const text = readFileSync(path.join(root, file), "utf8");
      return { file, text, mutants: mutantsOf(name, text) };
    })
    .map(({ file, text, mutants }) => ({
      name: path.posix.relative(folder, file),
      edits: mutants
        .map((mutant) => ({
          file,
          from: text.slice(mutant.start, mutant.end),
          ...mutant,
          ...asEdit(text, mutant),
        }))
        .filter((edit) => !isKnown(edit)),
    }))
    .map(({ name, edits }) => ({ name, edits: shuffle(edits, random) }))
    .filter(({ edits }) => edits.length > 0);
}

const operators = ["operator", "condition", "number", "call", "return"];
const taken = (edits, operator) => {
  const [edit] = edits.splice(
    Math.max(
      0,
      edits.findIndex((other) => other.operator === operator),
    ),
    1,
  );
  return edit;
};
const asEntry = (id, { file, operator, from, to, search, replace }) => ({
  ...{ id, file, operator, from, to, search, replace },
});

/** The same number from each room of a package, each from another file as long as there are files, of all operators. */
export function draw(root, pkg, count, seed, isKnown) {
  const random = randomFrom(seed);
  const rooms = new Map();
  for (const { name, edits } of filesOf(root, `${pkg}/src`, random, isLeftOut, isKnown)) {
    const room = name.split("/")[0];
    rooms.set(room, [...(rooms.get(room) ?? []), edits]);
  }
  const queues = [...rooms.values()].map((files) => shuffle(files, random));
  const drawn = [];
  for (let turn = 0; drawn.length < count && queues.some((files) => files.flat().length > 0); turn++)
    for (const files of queues) {
      const edit = taken(files[turn % files.length], operators[(turn + drawn.length) % 5]);
      if (edit && drawn.length < count) drawn.push(asEntry(`${pkg}-${drawn.length + 1}`, edit));
    }
  return drawn;
}

/** A number of mutants of one room: from each file as many as its share of all places, and one at least. */
export function drawRoom(root, { room, folder, count, without = [] }, seed) {
  const random = randomFrom(seed);
  const isOut = (name) => /index\.ts$|browser/i.test(name) || without.some((part) => name.startsWith(part));
  const files = filesOf(root, folder, random, isOut).map(({ edits }) => edits);
  const places = files.flat().length;
  // By turns: the file that is furthest behind its share gives the next one.
  const given = files.map(() => 0);
  const sizes = files.map((edits) => edits.length);
  const drawn = [];
  while (drawn.length < Math.min(count, places)) {
    const behind = (i) => ((drawn.length + 1) * sizes[i]) / places - given[i];
    const open = [...files.keys()].filter((i) => files[i].length > 0);
    const next = open.reduce((best, i) => (behind(i) > behind(best) ? i : best));
    given[next]++;
    const id = `${room.replaceAll("/", "-")}-${drawn.length + 1}`;
    drawn.push({ ...asEntry(id, taken(files[next], operators[drawn.length % 5])), room });
  }
  return drawn;
}
