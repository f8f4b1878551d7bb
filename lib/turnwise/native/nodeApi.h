// The few functions of Node-API that are used here. Its binary interface is stable across versions of Node, so that nothing
// has to be downloaded to compile against it. See https://nodejs.org/api/n-api.html

#include <stddef.h>
#include <stdint.h>

typedef struct napi_env__ *napi_env;
typedef struct napi_value__ *napi_value;
typedef struct napi_callback_info__ *napi_callback_info;
typedef napi_value (*napi_callback)(napi_env, napi_callback_info);
/** 0 if all went well. */
typedef int napi_status;

#define NAPI_AUTO_LENGTH SIZE_MAX
/** napi_float64_array */
#define FLOAT64_ARRAY 8
#if defined(_WIN32)
#define NAPI_EXPORT __declspec(dllexport)
#define NAPI_IMPORT __declspec(dllimport)
#else
#define NAPI_EXPORT __attribute__((visibility("default")))
#define NAPI_IMPORT
#endif

NAPI_IMPORT napi_status napi_get_cb_info(napi_env, napi_callback_info, size_t *, napi_value *, napi_value *, void **);
NAPI_IMPORT napi_status napi_get_value_double(napi_env, napi_value, double *);
NAPI_IMPORT napi_status napi_get_typedarray_info(
  napi_env, napi_value, int *type, size_t *length, void **data, napi_value *buffer, size_t *offset
);
NAPI_IMPORT napi_status napi_create_double(napi_env, double, napi_value *);
NAPI_IMPORT napi_status napi_create_object(napi_env, napi_value *);
NAPI_IMPORT napi_status napi_create_function(
  napi_env, const char *name, size_t length, napi_callback, void *data, napi_value *
);
NAPI_IMPORT napi_status napi_set_named_property(napi_env, napi_value object, const char *name, napi_value);
NAPI_IMPORT napi_status napi_throw_range_error(napi_env, const char *code, const char *message);
NAPI_IMPORT napi_status napi_throw_type_error(napi_env, const char *code, const char *message);
