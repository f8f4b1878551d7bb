// Functions on arrays of JavaScript, which therefore need not be copied into the memory of WebAssembly and out of it.

/** The numbers of a Float64Array, and how many; null after throwing if it is none. */
static double *doublesOf(napi_env env, napi_value value, size_t *length) {
  int type;
  void *data;
  if (napi_get_typedarray_info(env, value, &type, length, &data, 0, 0) == 0 && type == FLOAT64_ARRAY) return data;
  napi_throw_type_error(env, 0, "Cannot run a native kernel as its numbers must be given as a Float64Array: they are not");
  return 0;
}

/** put(values, at): the values, rounded to 32 bits, to an address of the memory. */
static napi_value put64(napi_env env, napi_callback_info info) {
  napi_value given[2];
  size_t count = 2, length;
  Memory *memory;
  double at = -1;
  napi_get_cb_info(env, info, &count, given, 0, (void **)&memory);
  double *values = count == 2 ? doublesOf(env, given[0], &length) : 0;
  if (!values) return 0;
  napi_get_value_double(env, given[1], &at);
  Border border = {memory, &at, 1};
  float *to = floatsAt(&border, 0, (double)length);
  if (border.allowed) k_demote(values, to, (int)length);
  else refuse(env);
  return 0;
}

/** get(at, values): fills the values with 32-bit numbers from an address of the memory on. */
static napi_value get64(napi_env env, napi_callback_info info) {
  napi_value given[2];
  size_t count = 2, length;
  Memory *memory;
  double at = -1;
  napi_get_cb_info(env, info, &count, given, 0, (void **)&memory);
  double *values = count == 2 ? doublesOf(env, given[1], &length) : 0;
  if (!values) return 0;
  napi_get_value_double(env, given[0], &at);
  Border border = {memory, &at, 1};
  float *from = floatsAt(&border, 0, (double)length);
  if (border.allowed) k_promote(from, values, (int)length);
  else refuse(env);
  return 0;
}

/** adamOn(x, gradient, mean, square, ...step): `adam` on four arrays, as far as the gradient goes. */
static napi_value adamOn(napi_env env, napi_callback_info info) {
  napi_value given[11];
  size_t count = 11, length[4];
  double *array[4], o[7];
  napi_get_cb_info(env, info, &count, given, 0, 0);
  int right = count == 11;
  for (int i = 0; right && i < 4; i++) {
    array[i] = doublesOf(env, given[i], &length[i]);
    if (!array[i]) return 0;
  }
  for (int i = 0; right && i < 7; i++) right = napi_get_value_double(env, given[4 + i], &o[i]) == 0;
  for (int i = 0; right && i < 4; i++) right = length[i] >= length[1];
  if (!right || length[1] > 0x7FFFFFFF) {
    napi_throw_range_error(env, 0, "Cannot step as parameters and slots must be as long as the gradient: one is shorter");
    return 0;
  }
  k_adam(array[0], array[1], array[2], array[3], (int)length[1], o[0], o[1], o[2], o[3], o[4], o[5], o[6]);
  return 0;
}

/** squaresOf(values): the sum of their squares, one added after the other. */
static napi_value squaresOf(napi_env env, napi_callback_info info) {
  napi_value given, result;
  size_t count = 1, length;
  napi_get_cb_info(env, info, &count, &given, 0, 0);
  double *values = count == 1 ? doublesOf(env, given, &length) : 0;
  if (!values) return 0;
  double sum = 0;
  k_squares(values, &sum, (int)length);
  napi_create_double(env, sum, &result);
  return result;
}
