import { exp } from "./exp";
import { expm1 } from "./expm1";
import * as table from "./expTable";

// Constants of this module, since engines fold these and not what other modules export.
const { head, powerOfTwo, stepHead, stepsPerNat, stepTail, tail } = table;

const ROUNDS = 6755399441055744;

/**
 * Writes e^x and e^x - 1 of the first `size` numbers, with the bits of `exp` and `expm1`.
 *
 * Both take the argument apart in the same way, so that the pair costs little more than one of them.
 */
export function expPairs(x: Float64Array, size: number, power: Float64Array, less: Float64Array): void {
  for (let n = 0; n < size; n++) {
    const one = x[n]!;
    if (!(one < 50 && one > -50)) {
      power[n] = exp(one);
      less[n] = expm1(one);
      continue;
    }
    const k = one * stepsPerNat + ROUNDS - ROUNDS;
    const coarse = one - k * stepHead;
    const step = k * stepTail;
    const r = coarse - step;
    const i = k & 127;
    const square = r * r;
    const p = r + square * (0.5 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120))));
    const scale = head[i]!;
    const two = powerOfTwo[(k >> 7) + 1074]!;
    power[n] = (scale + (tail[i]! + scale * p)) * two;
    if (one < 0.02 && one > -0.02) {
      // Adding 0 would lose the sign of -0.
      less[n] =
        one === 0
          ? one
          : one +
            one *
              one *
              (0.5 +
                one *
                  (1 / 6 +
                    one *
                      (1 / 24 + one * (1 / 120 + one * (1 / 720 + one * (1 / 5040 + one * (1 / 40320)))))));
      continue;
    }
    const lost = coarse - r - step;
    const rest = square * (0.5 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * (1 / 720))))) + lost;
    const high = scale * two;
    const whole = high - 1;
    // What the subtraction has rounded away.
    const away = high > 1 ? high - whole - 1 : high - (whole + 1);
    const up = high * r;
    const sum = whole + up;
    const kept = whole > up || whole < -up ? up - (sum - whole) : whole - (sum - up);
    less[n] = sum + (kept + (away + (tail[i]! * two + high * rest)));
  }
}
