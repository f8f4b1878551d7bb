import type { Rollout } from "./rollout";

/** The same trajectories in a batch with more room, and with a turn at each end in which only the world speaks. */
export function relayout(
  rollout: Rollout,
  o: { readonly turns?: number; readonly tokens?: number; readonly silentTurn?: boolean },
): Rollout {
  const { batch } = rollout;
  const [N, T, L] = batch.shape;
  const { turns = 0, tokens = 0, silentTurn = false } = o;
  const [T2, L2] = [T + turns, L + tokens];
  const perToken = <A extends Float64Array | Int32Array | Uint8Array>(x_ntl: A, padding: number): A => {
    const result = new (x_ntl.constructor as new (length: number) => A)(N * T2 * L2).fill(padding) as A;
    for (let n = 0; n < N; n++) {
      for (let t = 0; t < T; t++) {
        for (let l = 0; l < L; l++) result[(n * T2 + t) * L2 + l] = x_ntl[(n * T + t) * L + l]!;
      }
    }
    return result;
  };
  const V = rollout.logProb_ntlv.length / (N * T * L);
  const perAction = (x_ntlv: Float64Array): Float64Array => {
    const result = new Float64Array(N * T2 * L2 * V).fill(-Infinity);
    for (let nt = 0; nt < N * T; nt++) {
      const to = (Math.floor(nt / T) * T2 + (nt % T)) * L2 * V;
      result.set(x_ntlv.subarray(nt * L * V, (nt + 1) * L * V), to);
    }
    return result;
  };
  const perTurn = (x_nt: Float64Array): Float64Array => {
    const result = new Float64Array(N * T2);
    for (let n = 0; n < N; n++) result.set(x_nt.subarray(n * T, (n + 1) * T), n * T2);
    return result;
  };
  const said = <X>(lists: readonly (readonly X[])[], more: X): X[][] =>
    lists.map((list) => (silentTurn ? [...list, more] : [...list]));
  return {
    ...rollout,
    value_nt: perTurn(rollout.value_nt),
    refLogProb_ntl: perToken(rollout.refLogProb_ntl, 0),
    entropy_ntl: perToken(rollout.entropy_ntl, 0),
    logProb_ntlv: perAction(rollout.logProb_ntlv),
    parameter_ntl: perToken(rollout.parameter_ntl, -1),
    state_ntl: perToken(rollout.state_ntl, -1),
    batch: {
      ...batch,
      shape: [N, T2, L2],
      token_ntl: perToken(batch.token_ntl, 0),
      mask_ntl: perToken(batch.mask_ntl, 0),
      oldLogProb_ntl: perToken(batch.oldLogProb_ntl, 0),
      reward_nt: perTurn(batch.reward_nt),
      turnCount_n: batch.turnCount_n.map((count) => count + (silentTurn ? 1 : 0)),
      observation_nt: said(batch.observation_nt, "the world speaks"),
      context_nt: said(batch.context_nt, "the world speaks"),
      ...(batch.info_nt && { info_nt: said(batch.info_nt, {}) }),
    },
  };
}
