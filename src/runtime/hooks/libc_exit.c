/* Functions registered for the end of the program: the registration happens
   before they run, in whatever thread that is. They are registered in a wrapper
   that logs when they run. */
#include "runtime/hooks/channel.h"
#include "runtime/core/core.h"
#include "runtime/hooks/hook.h"

int __cxa_atexit (void (*function) (void *), void *argument, void *module);
int on_exit (void (*function) (int, void *), void *argument);

typedef struct wrapping {
  void (*function) (void *);
  void (*function_of_code) (int, void *); /* on_exit */
  void *argument;
} wrapping;

OMEN_NEXT (int, __cxa_atexit, (void (*) (void *), void *, void *));
OMEN_NEXT (int, on_exit, (void (*) (int, void *), void *));

/* Wrappers stay until the end. NULL: no memory. */
static wrapping *
wrap (void)
{
  enum { SLAB_BYTES = 4096 };
  static omen_latch latch;
  static wrapping *slab;
  static size_t left;
  omen_busy_begin ();
  omen_latch_take (&latch);
  if (!left && (slab = omen_pages (SLAB_BYTES)))
    left = SLAB_BYTES / sizeof *slab;
  wrapping *w = left ? &slab[--left] : NULL;
  omen_latch_give (&latch);
  omen_busy_end ();
  return w;
}

static void
run_handler (void *at)
{
  const wrapping *w = at;
  omen_order_after (OMEN_ORDER_EXIT, 0, 0);
  w->function (w->argument);
}

static void
run_with_code (int code, void *at)
{
  const wrapping *w = at;
  omen_order_after (OMEN_ORDER_EXIT, 0, 0);
  w->function_of_code (code, w->argument);
}

OMEN_EXPORT int
__cxa_atexit (void (*function) (void *), void *argument, void *module)
{
  wrapping *w = omen_enabled () ? wrap () : NULL;
  if (!w)
    return OMEN_REAL (__cxa_atexit) (function, argument, module);
  w->function = function;
  w->argument = argument;
  omen_order_before (OMEN_ORDER_EXIT, 0, OMEN_PC);
  return OMEN_REAL (__cxa_atexit) (run_handler, w, module);
}

OMEN_EXPORT int
on_exit (void (*function) (int, void *), void *argument)
{
  wrapping *w = omen_enabled () ? wrap () : NULL;
  if (!w)
    return OMEN_REAL (on_exit) (function, argument);
  w->function_of_code = function;
  w->argument = argument;
  omen_order_before (OMEN_ORDER_EXIT, 0, OMEN_PC);
  return OMEN_REAL (on_exit) (run_with_code, w);
}
