/**
 * cos(2 pi u) for 0 <= u <= 1, the same bits on every engine.
 *
 * The nearest quarter turn is taken off exactly; the rest is at most an eighth of a turn, where the series of sine and
 * cosine need nine terms. The error is below 1 unit in the last place of 1.
 */
export function cosTurn(u: number): number {
  const quarter = Math.floor(4 * u + 0.5);
  const x = (u - quarter / 4) * 6.283185307179586;
  const y = x * x;
  switch (quarter & 3) {
    case 0:
      return cosine(y);
    case 1:
      return -sine(x, y);
    case 2:
      return -cosine(y);
    default:
      return sine(x, y);
  }
}

const cosine = (y: number): number =>
  1 -
  y *
    (1 / 2 -
      y *
        (1 / 24 -
          y *
            (1 / 720 -
              y *
                (1 / 40320 -
                  y * (1 / 3628800 - y * (1 / 479001600 - y * (1 / 87178291200 - y / 20922789888000)))))));

const sine = (x: number, y: number): number =>
  x -
  x *
    y *
    (1 / 6 -
      y *
        (1 / 120 -
          y *
            (1 / 5040 -
              y *
                (1 / 362880 -
                  y *
                    (1 / 39916800 - y * (1 / 6227020800 - y * (1 / 1307674368000 - y / 355687428096000)))))));
