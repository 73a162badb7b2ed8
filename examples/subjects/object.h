/* What a subject is about: a static variable, or with -DHEAP a block of the heap
   (heap/NAME.mop speaks of its fields).

     OBJECT (list, listeners, { .count = 0 })     THE (listeners)->count */
#ifndef OMEN_EXAMPLES_OBJECT_H
#define OMEN_EXAMPLES_OBJECT_H

#ifdef HEAP
#include <stdlib.h>
#include <string.h>
#define OBJECT(type, name, ...)                                                \
  static type name##_first = __VA_ARGS__;                                      \
  static type *name##_place;                                                   \
  __attribute__ ((constructor)) static void name##_make (void)                 \
  {                                                                            \
    name##_place = malloc (sizeof name##_first);                               \
    memcpy (name##_place, &name##_first, sizeof name##_first);                 \
  }
#define THE(name) name##_place
#else
#define OBJECT(type, name, ...) static type name = __VA_ARGS__;
#define THE(name) (&name)
#endif

#endif
