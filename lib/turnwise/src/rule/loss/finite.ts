import { turnMask, type Derivatives, type LossArrays } from "./differentiate";
import { refusal } from "./refusal";

/** @throws {RangeError} if the loss, or a derivative where the mask is 1, is not finite; tells where */
export function expectFinite(label: string, arrays: LossArrays, found: Derivatives): void {
  const { shape, active_ntl } = arrays;
  const [, T, L] = shape;
  const { loss, dLogProb_ntl, dEntropy_ntl, dValue_nt } = found;
  const turnMask_nt = turnMask(shape, active_ntl);
  const derivatives = [
    { of: "logProb_ntl", values: dLogProb_ntl, mask: active_ntl, width: T * L },
    { of: "entropy_ntl", values: dEntropy_ntl, mask: active_ntl, width: T * L },
    { of: "value_nt", values: dValue_nt, mask: turnMask_nt, width: T },
  ];
  let where = "";
  for (const { of, values, mask, width } of derivatives) {
    const i = values === null ? -1 : firstBad(values, mask);
    if (values === null || i < 0) continue;
    const [n, rest] = [Math.floor(i / width), i % width];
    const trajectory = arrays.trajectoryId?.[n] ?? String(n);
    const cell = width === T ? `turn ${rest}` : `turn ${Math.floor(rest / L)}, token ${rest % L}`;
    where = `Its derivative in ${of} is ${values[i]} in trajectory ${trajectory}, ${cell}${inputAt(arrays, of, i)}.`;
    break;
  }
  if (Number.isFinite(loss) && where === "") return;
  const hint =
    where === "" ? "All derivatives are finite: masked tokens hold 0, and 0 times infinity is NaN." : where;
  throw refusal(label, `loss and derivatives must be finite, got loss ${loss}. ${hint}`);
}

function firstBad(values: Float64Array, mask: ArrayLike<number>): number {
  return values.findIndex((value, i) => mask[i] === 1 && !Number.isFinite(value));
}

function inputAt({ logProb_ntl, oldLogProb_ntl, advantage_ntl }: LossArrays, of: string, i: number): string {
  if (of === "value_nt") return "";
  return `, where log-prob is ${logProb_ntl[i]}, old log-prob ${oldLogProb_ntl[i]}, advantage ${advantage_ntl[i]}`;
}
