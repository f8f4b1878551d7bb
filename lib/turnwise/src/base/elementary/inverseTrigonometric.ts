const HEADS = [0, 0.4636476090008061, 0.7853981633974483, 0.982793723247329, 1.5707963267948966] as const;
const TAILS = [
  0, 2.2698777452961687e-17, 3.061616997868383e-17, 1.3903311031230998e-17, 6.123233995736766e-17,
] as const;

/**
 * arctan x; the error is below 1 unit in the last place.
 *
 * @see https://www.netlib.org/fdlibm/s_atan.c
 */
export function atan(x: number): number {
  const size = Math.abs(x);
  if (!(size > 1e-8)) return x;
  const value = ofPositive(size);
  return x < 0 ? -value : value;
}

function ofPositive(x: number): number {
  if (x < 0.4375) return near(x, 0);
  if (x < 0.6875) return near((2 * x - 1) / (2 + x), 1);
  if (x < 1.1875) return near((x - 1) / (x + 1), 2);
  if (x < 2.4375) return near((x - 1.5) / (1 + 1.5 * x), 3);
  return near(-1 / x, 4);
}

/** The arctangent of a number of at most .4375, added to that of 0, .5, 1, 1.5 or Infinity. */
function near(x: number, place: 0 | 1 | 2 | 3 | 4): number {
  const z = x * x;
  const w = z * z;
  const even =
    z *
    (3.33333333333329318027e-1 +
      w *
        (1.42857142725034663711e-1 +
          w *
            (9.09088713343650656196e-2 +
              w *
                (6.66107313738753120669e-2 +
                  w * (4.97687799461593236017e-2 + w * 1.62858201153657823623e-2)))));
  const odd =
    w *
    (-1.99999999998764832476e-1 +
      w *
        (-1.1111110405462355788e-1 +
          w *
            (-7.69187620504482999495e-2 + w * (-5.83357013379057348645e-2 + w * -3.6531572744216915527e-2))));
  const away = x * (even + odd);
  return place === 0 ? x - away : HEADS[place] - (away - TAILS[place] - x);
}

/** The angle of the point (x, y); the error is below 2 units in the last place. */
export function atan2(y: number, x: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return NaN;
  const left = x < 0 || Object.is(x, -0);
  const angle = ofPositive(slope(Math.abs(y), Math.abs(x)));
  const value = left && angle !== HEADS[4] ? Math.PI - (angle - 1.2246467991473532e-16) : angle;
  return y < 0 || Object.is(y, -0) ? -value : value;
}

function slope(y: number, x: number): number {
  if (y === 0) return 0;
  return y === Infinity && x === Infinity ? 1 : y / x;
}

/** arcsin x; the error is below 3 units in the last place. */
export function asin(x: number): number {
  if (Math.abs(x) < 1e-8) return x;
  return atan2(x, Math.sqrt((1 - x) * (1 + x)));
}

/** arccos x; the error is below 3 units in the last place. */
export const acos = (x: number): number => 2 * atan2(Math.sqrt(1 - x), Math.sqrt(1 + x));
