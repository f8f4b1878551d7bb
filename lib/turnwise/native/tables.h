// The kernels of a table, on arrays of JavaScript.

/** The items of a typed array of this type (as Node-API numbers them), and how many; null after throwing if it is none. */
static void *itemsOf(napi_env env, napi_value value, int wanted, size_t *length) {
  int type;
  void *data;
  if (napi_get_typedarray_info(env, value, &type, length, &data, 0, 0) == 0 && type == wanted) return data;
  napi_throw_type_error(env, 0, "Cannot run a native kernel as its numbers must be given as typed arrays: they are not");
  return 0;
}

/** The arguments: arrays of the given types, then numbers. 1 if all are there; else it has thrown. */
static int takeArguments(
  napi_env env, napi_callback_info info, const int *types, int arrays, int numbers, void **array, size_t *length, double *number
) {
  napi_value given[12];
  size_t count = 12;
  napi_get_cb_info(env, info, &count, given, 0, 0);
  int right = count == (size_t)(arrays + numbers);
  for (int i = 0; right && i < arrays; i++) {
    array[i] = itemsOf(env, given[i], types[i], &length[i]);
    if (!array[i]) return 0;
  }
  for (int i = 0; right && i < numbers; i++) right = napi_get_value_double(env, given[arrays + i], &number[i]) == 0;
  if (!right) napi_throw_type_error(env, 0, "Cannot run a native kernel as all its arguments must be there: one is missing");
  return right;
}

static napi_value tooShort(napi_env env) {
  napi_throw_range_error(env, 0, "Cannot run a native kernel on arrays as it must find all it reads: one is too short");
  return 0;
}

enum { BYTES = 1, INTEGERS = 5, DOUBLES = FLOAT64_ARRAY };

/** surrogateOn(logProb, old, advantage, weight, active, entropy, slope, powers, sums, low, high) */
static napi_value surrogateOn(napi_env env, napi_callback_info info) {
  static const int types[9] = {DOUBLES, DOUBLES, DOUBLES, DOUBLES, BYTES, DOUBLES, DOUBLES, DOUBLES, DOUBLES};
  void *array[9];
  size_t length[9];
  double bound[2];
  if (!takeArguments(env, info, types, 9, 2, array, length, bound)) return 0;
  size_t cells = length[6];
  for (int i = 0; i < 7; i++) if (length[i] < cells) return tooShort(env);
  if (cells > 0x7FFFFFFF || length[7] * 8 < sizeof(Powers) || length[8] * 8 < sizeof(Sums64)) return tooShort(env);
  k_surrogate(
    array[0], array[1], array[2], array[3], array[4], array[5], array[6], array[7], array[8], (int)cells, bound[0], bound[1]
  );
  return 0;
}

/** tableGradientOn(logProb, rows, cells, begins, tokens, dLogProb, into, touched, powers, size, stride) */
static napi_value tableGradientOn(napi_env env, napi_callback_info info) {
  static const int types[9] = {DOUBLES, INTEGERS, INTEGERS, INTEGERS, INTEGERS, DOUBLES, DOUBLES, INTEGERS, DOUBLES};
  void *array[9];
  size_t length[9];
  double number[2];
  if (!takeArguments(env, info, types, 9, 2, array, length, number)) return 0;
  if (!(number[0] >= 1 && number[1] >= number[0] && number[1] <= 0x7FFFFFFF)) return tooShort(env);
  int size = (int)number[0], stride = (int)number[1];
  const int *rows = array[1], *cells = array[2], *begins = array[3];
  size_t groups = length[1], known = length[4] < length[5] ? length[4] : length[5];
  int right = length[3] > groups && length[0] >= groups * (size_t)size && length[7] > groups &&
    length[8] * 8 >= sizeof(Powers) && begins[0] == 0;
  for (size_t g = 0; right && g < groups; g++) {
    right = begins[g] <= begins[g + 1] && rows[g] >= 0 && (size_t)rows[g] * stride + size <= length[6];
  }
  if (!right || (size_t)begins[groups] > length[2]) return tooShort(env);
  int outside = 0;
  for (int k = 0; k < begins[groups]; k++) outside |= (size_t)(unsigned)cells[k] >= known;
  if (outside) return tooShort(env);
  k_tableGradient(
    array[0], rows, cells, begins, array[4], array[5], array[6], array[7], array[8], (int)groups, size, stride
  );
  return 0;
}
