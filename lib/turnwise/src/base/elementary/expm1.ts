import { exp } from "./exp";
import * as table from "./expTable";

// Constants of this module, since engines fold these and not what other modules export.
const { head, powerOfTwo, stepHead, stepsPerNat, stepTail, tail } = table;

const ROUNDS = 6755399441055744;

/** e^x - 1, right where x is small; the error is below .7 units in the last place. */
export function expm1(x: number): number {
  if (!(x < 50 && x > -50)) return x < 0 ? -1 : exp(x);
  if (x < 0.02 && x > -0.02) return nearZero(x);
  const k = x * stepsPerNat + ROUNDS - ROUNDS;
  const step = k * stepTail;
  const r = x - k * stepHead - step;
  const lost = x - k * stepHead - r - step;
  const i = k & 127;
  const square = r * r;
  const rest = square * (0.5 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * (1 / 720))))) + lost;
  const power = powerOfTwo[(k - i) / 128 + 1074]!;
  const scale = head[i]! * power;
  const whole = scale - 1;
  // What the subtraction has rounded away.
  const away = scale > 1 ? scale - whole - 1 : scale - (whole + 1);
  const up = scale * r;
  const sum = whole + up;
  const kept = whole > up || whole < -up ? up - (sum - whole) : whole - (sum - up);
  return sum + (kept + (away + (tail[i]! * power + scale * rest)));
}

function nearZero(x: number): number {
  // Adding 0 would lose the sign of -0.
  if (x === 0) return x;
  return (
    x +
    x *
      x *
      (0.5 + x * (1 / 6 + x * (1 / 24 + x * (1 / 120 + x * (1 / 720 + x * (1 / 5040 + x * (1 / 40320)))))))
  );
}
