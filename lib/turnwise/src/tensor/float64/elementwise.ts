import { exp } from "../../base/elementary/exp";
import { expm1 } from "../../base/elementary/expm1";
import { cosh, sinh } from "../../base/elementary/hyperbolic";
import { acos, asin, atan, atan2 } from "../../base/elementary/inverseTrigonometric";
import { log } from "../../base/elementary/log";
import { log1p } from "../../base/elementary/log1p";
import { power } from "../../base/elementary/power";
import { tanh } from "../../base/elementary/tanh";
import { cos, sin, tan } from "../../base/elementary/trigonometric";
import { tf } from "../backend";
import { broadcastStrides, places } from "./indices";
import type { Call, Kernel } from "./kernel";

type Attributes = Call["attrs"];

const unary: Readonly<Record<string, (x: number, attrs: Attributes) => number>> = {
  Abs: Math.abs,
  Neg: (x) => -x,
  Exp: exp,
  Expm1: expm1,
  Log: log,
  Log1p: log1p,
  Sqrt: Math.sqrt,
  Rsqrt: (x) => 1 / Math.sqrt(x),
  Square: (x) => x * x,
  Reciprocal: (x) => 1 / x,
  Sigmoid: (x) => 1 / (1 + exp(-x)),
  Softplus: (x) => Math.max(x, 0) + log1p(exp(-Math.abs(x))),
  Tanh: tanh,
  Sinh: sinh,
  Cosh: cosh,
  Sin: sin,
  Cos: cos,
  Tan: tan,
  Asin: asin,
  Acos: acos,
  Atan: atan,
  Relu: (x) => Math.max(0, x),
  Relu6: (x) => Math.min(Math.max(0, x), 6),
  LeakyRelu: (x, { alpha }) => (x < 0 ? (alpha as number) * x : x),
  Elu: (x) => (x >= 0 ? x : expm1(x)),
  Sign: (x) => (x > 0 ? 1 : x < 0 ? -1 : x),
  Step: (x, { alpha }) => (Number.isNaN(x) ? NaN : x > 0 ? 1 : (alpha as number)),
  Floor: Math.floor,
  Ceil: Math.ceil,
  ClipByValue: (x, { clipValueMin: low, clipValueMax: high }) =>
    x > (high as number) ? (high as number) : x < (low as number) ? (low as number) : x,
  ZerosLike: () => 0,
  OnesLike: () => 1,
};

/** Writes a function of two lists of the same length. */
type Loop = (x: ArrayLike<number>, y: ArrayLike<number>, to: Float64Array) => void;

const looping =
  (f: (a: number, b: number) => number): Loop =>
  (x, y, to) => {
    for (let i = 0; i < to.length; i++) to[i] = f(x[i]!, y[i]!);
  };

/** The commonest have loops of their own: a call for each number takes three times as long. */
const binary: Readonly<Record<string, Loop>> = {
  Add: (x, y, to) => {
    for (let i = 0; i < to.length; i++) to[i] = x[i]! + y[i]!;
  },
  Sub: (x, y, to) => {
    for (let i = 0; i < to.length; i++) to[i] = x[i]! - y[i]!;
  },
  Multiply: (x, y, to) => {
    for (let i = 0; i < to.length; i++) to[i] = x[i]! * y[i]!;
  },
  RealDiv: (x, y, to) => {
    for (let i = 0; i < to.length; i++) to[i] = x[i]! / y[i]!;
  },
  Maximum: (x, y, to) => {
    for (let i = 0; i < to.length; i++) to[i] = Math.max(x[i]!, y[i]!);
  },
  Minimum: (x, y, to) => {
    for (let i = 0; i < to.length; i++) to[i] = Math.min(x[i]!, y[i]!);
  },
  Pow: looping(power),
  SquaredDifference: looping((a, b) => (a - b) * (a - b)),
  Atan2: looping(atan2),
};

function elementwise(f: (x: number, attrs: Attributes) => number): Kernel {
  return ({ inputs, attrs, backend }) => {
    const x = inputs["x"]!;
    if (x.dtype !== "float32") return null;
    const from = backend.numbers(x);
    const to = new Float64Array(from.length);
    for (let i = 0; i < to.length; i++) to[i] = f(from[i]!, attrs);
    return backend.doubles(x.shape, to);
  };
}

function pairwise(loop: Loop): Kernel {
  return ({ inputs, backend }) => {
    const [a, b] = [inputs["a"]!, inputs["b"]!];
    if (a.dtype !== "float32" || b.dtype !== "float32") return null;
    const shape = tf.broadcast_util.assertAndGetBroadcastShape(a.shape, b.shape);
    const to = new Float64Array(tf.util.sizeFromShape(shape));
    loop(spread(backend.numbers(a), a.shape, shape), spread(backend.numbers(b), b.shape, shape), to);
    return backend.doubles(shape, to);
  };
}

/** The numbers of a block as those of a larger one, as NumPy broadcasts. */
function spread(
  values: ArrayLike<number>,
  shape: readonly number[],
  to: readonly number[],
): ArrayLike<number> {
  const size = tf.util.sizeFromShape([...to]);
  if (values.length === size) return values;
  if (values.length === 1) return new Float64Array(size).fill(values[0]!);
  const place = places(to, broadcastStrides(shape, to));
  const result = new Float64Array(size);
  for (let i = 0; i < size; i++) result[i] = values[place[i]!]!;
  return result;
}

/** Functions of one tensor, and of two that broadcast. */
export const elementwiseKernels: Readonly<Record<string, Kernel>> = {
  ...Object.fromEntries(Object.entries(unary).map(([name, f]) => [name, elementwise(f)])),
  ...Object.fromEntries(Object.entries(binary).map(([name, f]) => [name, pairwise(f)])),
};
