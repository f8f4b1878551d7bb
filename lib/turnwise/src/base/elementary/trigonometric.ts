import { quarterTurns } from "./quarterTurns";

/** sin x; the error is below .9 units in the last place. */
export function sin(x: number): number {
  if (Math.abs(x) < 1e-8) return x;
  const { quarter, head, tail } = quarterTurns(x);
  return wave(quarter, head, tail);
}

/** cos x; the error is below .9 units in the last place. */
export function cos(x: number): number {
  const { quarter, head, tail } = quarterTurns(x);
  return wave(quarter + 1, head, tail);
}

/** tan x; the error is below 2.5 units in the last place. */
export function tan(x: number): number {
  if (Math.abs(x) < 1e-8) return x;
  const { quarter, head, tail } = quarterTurns(x);
  return wave(quarter, head, tail) / wave(quarter + 1, head, tail);
}

/** The sine of `quarter` quarter turns and head + tail, a number of at most an eighth of a turn. */
function wave(quarter: number, head: number, tail: number): number {
  switch (quarter & 3) {
    case 0:
      return sine(head, tail);
    case 1:
      return cosine(head, tail);
    case 2:
      return -sine(head, tail);
    default:
      return -cosine(head, tail);
  }
}

/** @see https://www.netlib.org/fdlibm/k_sin.c */
function sine(x: number, tail: number): number {
  const y = x * x;
  const series =
    8.33333333332248946124e-3 +
    y *
      (-1.98412698298579493134e-4 +
        y * (2.75573137070700676789e-6 + y * (-2.50507602534068634195e-8 + y * 1.58969099521155010221e-10)));
  return x - (y * (0.5 * tail - y * x * series) - tail + y * x * 1.66666666666666324348e-1);
}

/** @see https://www.netlib.org/fdlibm/k_cos.c */
function cosine(x: number, tail: number): number {
  const y = x * x;
  const series =
    y *
    (4.16666666666666019037e-2 +
      y *
        (-1.38888888888741095749e-3 +
          y *
            (2.48015872894767294178e-5 +
              y *
                (-2.75573143513906633035e-7 +
                  y * (2.0875723212981748279e-9 - y * 1.13596475577881948265e-11)))));
  const half = 0.5 * y;
  const rough = 1 - half;
  return rough + (1 - rough - half + (y * series - x * tail));
}
