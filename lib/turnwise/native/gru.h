/**
 * The end of a step of the gated recurrent unit, in place on what enters the gates:
 *   z <- sigmoid(z), r <- sigmoid(r), n <- tanh(n + r recurrent), after = n + z (before - n).
 */
KERNEL(gruCell)(
  float *z, float *r, float *n, const float *recurrent, const float *before, float *after, int count
) {
  OVER(count,
    floats update = logistic(get(z + c, left));
    floats reset = logistic(get(r + c, left));
    floats candidate = hyperbolicTangent(get(n + c, left) + reset * get(recurrent + c, left));
    floats state = candidate + update * (get(before + c, left) - candidate);
    put(z + c, update, left);
    put(r + c, reset, left);
    put(n + c, candidate, left);
    put(after + c, state, left);
  )
}

/** The way back of `gruCell`: derivatives in what enters the gates, in `recurrent` and directly in the state before. */
KERNEL(gruCellBackward)(
  const float *d, const float *z, const float *r, const float *n,
  const float *recurrent, const float *before, float *dZ, float *dR,
  float *dN, float *dRecurrent, float *dBefore, int count
) {
  OVER(count,
    floats out = get(d + c, left);
    floats update = get(z + c, left);
    floats reset = get(r + c, left);
    floats candidate = get(n + c, left);
    floats dCandidate = out * (1.0f - update) * (1.0f - candidate * candidate);
    floats dUpdate = out * (get(before + c, left) - candidate);
    floats dReset = dCandidate * get(recurrent + c, left);
    put(dZ + c, dUpdate * (update * (1.0f - update)), left);
    put(dR + c, dReset * (reset * (1.0f - reset)), left);
    put(dN + c, dCandidate, left);
    put(dRecurrent + c, dCandidate * reset, left);
    put(dBefore + c, out * update, left);
  )
}

/**
 * One step of the unit for some rows at once, each with a token:
 *   z, r <- bias + embedding_token + before U,  n likewise without U,  recurrent <- before U_n,  after as in `gruCell`.
 *
 * The embedding, bias and state matrix of the update gate are given; those of the reset gate and of the candidate lie `gate`
 * floats after each other. Offsets lead to the rows of an embedding (in elements). gates has room for [4, rows, width].
 */
KERNEL(gruToken)(
  const float *embedding, const float *bias, const float *state, int gate, const int *offsets,
  const float *before, float *after, float *gates, int rows, int width
) {
  intptr_t all = rows * (intptr_t)width;
  float *recurrent = gates + 3 * all;
  for (int g = 0; g < 3; g++) {
    float *own = gates + g * all;
    k_broadcast(own, bias + g * (intptr_t)gate, rows, width);
    k_gather(own, embedding + g * (intptr_t)gate, offsets, rows, 1, width);
    const float *matrix = state + g * (intptr_t)gate;
    if (g < 2) k_gemm(before, width, 1, matrix, width, own, width, rows, width, width);
    else k_product(before, width, 1, matrix, width, recurrent, width, rows, width, width, 0, 0);
  }
  k_gruCell(gates, gates + all, gates + 2 * all, recurrent, before, after, rows * width);
}
