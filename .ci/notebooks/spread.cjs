"use strict";
const { predictionsOf } = require("../../kernel/labextension/static/predictions.js");

/** The predictions of the course with a right choice, as `{ options, right }`. */
const answered = (notebooks) =>
  notebooks
    .flatMap(({ cells }) => cells)
    .filter(({ type }) => type === "markdown")
    .flatMap(({ source, answer }) =>
      predictionsOf(source).map(({ options }) => ({
        options,
        right: options.find(({ letter }) => letter === answer),
      })),
    )
    .filter(({ right }) => right !== undefined);

/** Lengths that may not be right too often, each with its sign and the way out. */
const lengths = [
  ["longest", 1, "shorten it in some, or give the others their reasons"],
  ["shortest", -1, "shorten others in some, or give it its reason"],
];

/** By how much a count may miss what chance gives: two standard deviations. */
const slack = (chances) => 2 * Math.sqrt(chances.reduce((sum, p) => sum + p * (1 - p), 0));

/**
 * Over the whole course, neither a letter nor a length may give the right choice away: each letter is right about as often as if
 * dice had placed it, and neither the longest nor the shortest choice more often than that. Shortening the right choices alone would
 * make the shortest one the best guess.
 */
function spreadProblems(notebooks) {
  const predictions = answered(notebooks);
  const problems = [];
  const sum = (numbers) => numbers.reduce((total, x) => total + x, 0);
  for (const letter of "abcdefgh") {
    const chances = predictions
      .filter(({ options }) => options.some((one) => one.letter === letter))
      .map(({ options }) => 1 / options.length);
    const count = predictions.filter(({ right }) => right.letter === letter).length;
    const expected = sum(chances);
    if (Math.abs(count - expected) > slack(chances))
      problems.push(
        `the course: (${letter}) is right ${String(count)} times in ${String(chances.length)} predictions, where chance gives ` +
          `${expected.toFixed(0)}; reorder the choices of some`,
      );
  }
  const chances = predictions.map(({ options }) => 1 / options.length);
  for (const [extreme, sign, todo] of lengths) {
    const count = predictions.filter(({ options, right }) =>
      options.every((one) => one === right || sign * one.text.length < sign * right.text.length),
    ).length;
    if (count > sum(chances))
      problems.push(
        `the course: the right choice is the ${extreme} one ${String(count)} times in ${String(predictions.length)} predictions, where ` +
          `chance gives ${sum(chances).toFixed(0)}; ${todo}`,
      );
  }
  return problems;
}

module.exports = { spreadProblems };
