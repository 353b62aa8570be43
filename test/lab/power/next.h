/* Included after `_GNU_SOURCE` is defined. */
#include <dlfcn.h>

/* Defines `next`, the function of the C library that has the name of the enclosing one. */
#define NEXT(result, name, ...)                       \
  static result (*next)(__VA_ARGS__);                 \
  if (next == NULL) next = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

/* Programs use both names; the types are equal on 64-bit systems. */
#define ALSO(name, alias_name) extern __typeof(name) alias_name __attribute__((alias(#name)))
