/** x = quarter pi/2 + head + tail, with |head| at most pi/4 and `quarter` modulo 4. */
export interface QuarterTurns {
  readonly quarter: number;
  readonly head: number;
  readonly tail: number;
}

/** Below it a multiple of the first 33 bits of pi/2 is exact. */
const FEW = 1e5;
/** pi/2 as a sum of three doubles of 33 bits, and the rest. */
const [FIRST, SECOND, THIRD, REST] = [
  1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32,
];

/** Takes the nearest whole number of quarter turns off. */
export function quarterTurns(x: number): QuarterTurns {
  if (!(Math.abs(x) < FEW)) return Number.isFinite(x) ? ofLarge(x) : { quarter: 0, head: NaN, tail: 0 };
  const quarter = Math.round(x * 0.6366197723675814);
  // All but the last line are exact: what the subtractions round away is kept.
  const first = x - quarter * FIRST;
  const second = quarter * SECOND;
  const rough = first - second;
  const third = quarter * THIRD;
  const lost = first - rough - second;
  const head = rough + (lost - third);
  const tail = rough - head + (lost - third) - quarter * REST;
  return { quarter, head, tail };
}

const BITS = 1200n;
let halfPi: bigint | undefined;

/** In whole numbers with the 1200 bits of pi that the largest double needs. */
function ofLarge(x: number): QuarterTurns {
  halfPi ??= 8n * arctangentOfReciprocal(5n) - 2n * arctangentOfReciprocal(239n);
  // A double beyond 1e5 is a whole multiple of 2^-36.
  const scaled = Number.isInteger(x) ? BigInt(x) << BITS : BigInt(x * 68719476736) << (BITS - 36n);
  const quarter = (2n * scaled + halfPi) / (2n * halfPi) - (2n * scaled + halfPi < 0n ? 1n : 0n);
  const rest = scaled - quarter * halfPi;
  const head = double(rest);
  return { quarter: Number(quarter & 3n), head, tail: double(rest - fixed(head)) };
}

/** A number of at most 2 in fixed point; rounded twice, which the tail fixes. */
const double = (rest: bigint): number => Number(rest >> (BITS - 200n)) / Number(1n << 200n);
const fixed = (x: number): bigint => BigInt(x * Number(1n << 200n)) << (BITS - 200n);

function arctangentOfReciprocal(n: bigint): bigint {
  let sum = 0n;
  let term = (1n << BITS) / n;
  for (let k = 1n; term !== 0n; k += 2n, term /= -n * n) sum += term / k;
  return sum;
}
