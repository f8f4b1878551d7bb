import { tf } from "../backend";
import { broadcastStrides, places } from "./indices";
import type { Call, Kernel } from "./kernel";

type Attributes = Call["attrs"];

const unary: Readonly<Record<string, (x: number, attrs: Attributes) => number>> = {
  Abs: Math.abs,
  Neg: (x) => -x,
  Exp: Math.exp,
  Expm1: Math.expm1,
  Log: Math.log,
  Log1p: Math.log1p,
  Sqrt: Math.sqrt,
  Rsqrt: (x) => 1 / Math.sqrt(x),
  Square: (x) => x * x,
  Reciprocal: (x) => 1 / x,
  Sigmoid: (x) => 1 / (1 + Math.exp(-x)),
  Softplus: (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))),
  Tanh: Math.tanh,
  Sinh: Math.sinh,
  Cosh: Math.cosh,
  Sin: Math.sin,
  Cos: Math.cos,
  Tan: Math.tan,
  Asin: Math.asin,
  Acos: Math.acos,
  Atan: Math.atan,
  Relu: (x) => Math.max(0, x),
  Relu6: (x) => Math.min(Math.max(0, x), 6),
  LeakyRelu: (x, { alpha }) => (x < 0 ? (alpha as number) * x : x),
  Elu: (x) => (x >= 0 ? x : Math.expm1(x)),
  Sign: (x) => (x > 0 ? 1 : x < 0 ? -1 : x),
  Step: (x, { alpha }) => (Number.isNaN(x) ? NaN : x > 0 ? 1 : (alpha as number)),
  Floor: Math.floor,
  Ceil: Math.ceil,
  ClipByValue: (x, { clipValueMin: low, clipValueMax: high }) =>
    x > (high as number) ? (high as number) : x < (low as number) ? (low as number) : x,
  ZerosLike: () => 0,
  OnesLike: () => 1,
};

const binary: Readonly<Record<string, (a: number, b: number) => number>> = {
  Add: (a, b) => a + b,
  Sub: (a, b) => a - b,
  Multiply: (a, b) => a * b,
  RealDiv: (a, b) => a / b,
  Maximum: (a, b) => Math.max(a, b),
  Minimum: (a, b) => Math.min(a, b),
  Pow: Math.pow,
  SquaredDifference: (a, b) => (a - b) * (a - b),
  Atan2: Math.atan2,
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

function pairwise(f: (a: number, b: number) => number): Kernel {
  return ({ inputs, backend }) => {
    const [a, b] = [inputs["a"]!, inputs["b"]!];
    if (a.dtype !== "float32" || b.dtype !== "float32") return null;
    const [x, y] = [backend.numbers(a), backend.numbers(b)];
    const shape = tf.broadcast_util.assertAndGetBroadcastShape(a.shape, b.shape);
    const to = new Float64Array(tf.util.sizeFromShape(shape));
    if (a.shape.join() === b.shape.join()) for (let i = 0; i < to.length; i++) to[i] = f(x[i]!, y[i]!);
    else if (y.length === 1) for (let i = 0; i < to.length; i++) to[i] = f(x[i]!, y[0]!);
    else if (x.length === 1) for (let i = 0; i < to.length; i++) to[i] = f(x[0]!, y[i]!);
    else {
      const inX = places(shape, broadcastStrides(a.shape, shape));
      const inY = places(shape, broadcastStrides(b.shape, shape));
      for (let i = 0; i < to.length; i++) to[i] = f(x[inX[i]!]!, y[inY[i]!]!);
    }
    return backend.doubles(shape, to);
  };
}

/** Functions of one tensor, and of two that broadcast. */
export const elementwiseKernels: Readonly<Record<string, Kernel>> = {
  ...Object.fromEntries(Object.entries(unary).map(([name, f]) => [name, elementwise(f)])),
  ...Object.fromEntries(Object.entries(binary).map(([name, f]) => [name, pairwise(f)])),
};
