"use strict";
// danfojs-node uses six statistics of mathjs; the whole package would cost 20 MB and most of the import time.

const flat = (values) => (Array.isArray(values) ? values.flat(Infinity) : Array.from(values));
const sum = (values) => flat(values).reduce((total, x) => total + x, 0);
const mean = (values) => sum(values) / flat(values).length;

function variance(values) {
  const xs = flat(values);
  if (xs.length === 1) return 0;
  const centre = mean(xs);
  return xs.reduce((total, x) => total + (x - centre) ** 2, 0) / (xs.length - 1);
}

const std = (values) => Math.sqrt(variance(values));

function median(values) {
  const xs = flat(values);
  if (xs.some((x) => Number.isNaN(x))) return NaN;
  const sorted = xs.slice().sort((x, y) => x - y);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function mode(values) {
  const count = new Map();
  for (const x of flat(values)) count.set(x, (count.get(x) ?? 0) + 1);
  const most = Math.max(...count.values());
  return [...count].filter(([, n]) => n === most).map(([x]) => x);
}

module.exports = { sum, mean, variance, std, median, mode };
