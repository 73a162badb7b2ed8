/* For the programs of this folder: say what the listener is to write down.

     NAME (g);                   events on g are logged as "g", "g+4", …
     LISTEN (ACCESSES);          from here on
     LISTEN (NOTHING);

   Without the weaver all of it is nothing. A comment `//= event; event` on a
   source line says which events of that line the log must hold, in order, and
   lines without it must have none (test/programs/weave/check-log). */
#ifndef OMEN_TEST_LISTEN_H
#define OMEN_TEST_LISTEN_H

#include <stddef.h>

enum listen_what { NOTHING = 0, ACCESSES = 1, MARKERS = 2, LIVES = 4 };

#ifdef __OMEN__
#ifdef __cplusplus
extern "C" {
#endif
void listen_name (const volatile void *addr, size_t size, const char *name);
void listen_to (int what);
#ifdef __cplusplus
}
#endif
#define NAME(x) listen_name (&(x), sizeof (x), #x)
#define LISTEN(what) listen_to (what)
#else
#define NAME(x) ((void)&(x))
#define LISTEN(what) ((void)0)
#endif

/* Nothing moves across this. */
#define WALL() __asm__ volatile ("" ::: "memory")

#endif
