// Calls that were written down as numbers: all parts of a task in one call from JavaScript, and on several threads.

#include "pool.h"

/** Part i is what is written from places[i] to places[i + 1]: an operation, how many arguments it has, and these, again and again. */
typedef struct {
  const Memory *memory;
  const double *calls, *places;
  _Atomic int refused;
} Score;

static void playPart(void *score, int part) {
  Score *own = score;
  const double *at = own->calls + (size_t)own->places[part], *end = own->calls + (size_t)own->places[part + 1];
  while (at < end) {
    const double *given = at + 2;
    const Operation *operation = *at >= 0 && *at < OPERATIONS ? &operations[(int)*at] : 0;
    if (!operation || end - given < operation->arguments || at[1] != operation->arguments) break;
    Border border = {own->memory, given, 1};
    operation->run(&border);
    if (!border.allowed) break;
    at = given + operation->arguments;
  }
  if (at != end) own->refused = 1;
}

/** play(calls, places, parts, helpers): plays so many parts; how many of them were done by helpers. */
static napi_value play(napi_env env, napi_callback_info info) {
  napi_value given[4], out = 0;
  size_t count = 4, length, most;
  double parts, wanted;
  Score score = {0};
  napi_get_cb_info(env, info, &count, given, 0, (void **)&score.memory);
  score.calls = count == 4 ? doublesOf(env, given[0], &length) : 0;
  score.places = score.calls ? doublesOf(env, given[1], &most) : 0;
  if (!score.places) return 0;
  napi_get_value_double(env, given[2], &parts);
  napi_get_value_double(env, given[3], &wanted);
  int right = parts >= 0 && parts < most && wanted >= 0 && wanted < 64;
  for (int i = 0; right && i <= parts; i++) {
    double from = i > 0 ? score.places[i - 1] : 0;
    right = score.places[i] >= from && score.places[i] <= length;
  }
  int helped = right ? inParts((int)wanted, (int)parts, playPart, &score) : 0;
  if (!right || score.refused) refuse(env);
  else napi_create_double(env, helped, &out);
  return out;
}
