/* omen.h: what a program can tell omen about itself. C11 and C++11.

     OMEN_ATOMIC_BEGIN ("transfer");       from here …
     OMEN_ATOMIC_END ("transfer");         … to here meant to be atomic
     OMEN_EVENT (create, list, iter);      a property event and its parameters
     OMEN_HAPPENS_BEFORE (&box);           what came before this …
     OMEN_HAPPENS_AFTER (&box);            … comes before what follows this
     OMEN_IGNORE_BEGIN ();                 this thread is not watched from here
     OMEN_IGNORE_END ();                   … to here; these may be nested
     OMEN_DEAD (iter);                     nobody will use this object again

   Unless the weaver compiles the file (it defines __OMEN__) every one of them
   is nothing: no code, no arguments evaluated, nothing to link with. A woven
   program links and runs without omen's runtime, too: the functions below are
   weak, and are called only if they are there.

   Labels and addresses are not kept; names may be any text. OMEN_EVENT takes a
   name and up to eight parameters, integers or pointers, whose spelling is the
   name of the parameter. */
#ifndef OMEN_H
#define OMEN_H

#ifndef __OMEN__

#define OMEN_ATOMIC_BEGIN(label) ((void)0)
#define OMEN_ATOMIC_END(label) ((void)0)
#define OMEN_EVENT(...) ((void)0)
#define OMEN_HAPPENS_BEFORE(addr) ((void)0)
#define OMEN_HAPPENS_AFTER(addr) ((void)0)
#define OMEN_IGNORE_BEGIN() ((void)0)
#define OMEN_IGNORE_END() ((void)0)
#define OMEN_DEAD(p) ((void)0)

#else

#ifdef __cplusplus
extern "C" {
#endif

#define OMEN_WEAK_ __attribute__ ((weak))
OMEN_WEAK_ void __omen_note_begin (const char *label);
OMEN_WEAK_ void __omen_note_end (const char *label);
OMEN_WEAK_ void __omen_note_before (const volatile void *addr);
OMEN_WEAK_ void __omen_note_after (const volatile void *addr);
OMEN_WEAK_ void __omen_note_ignore_begin (void);
OMEN_WEAK_ void __omen_note_ignore_end (void);
OMEN_WEAK_ void __omen_note_dead (const volatile void *p);
/* `text` is the name and the parameters as written, "create, list, iter";
   bit i of `pointers` says that parameter i is one. */
OMEN_WEAK_ void __omen_note_event (const char *text, unsigned count,
                                   unsigned pointers, unsigned long long a,
                                   unsigned long long b, unsigned long long c,
                                   unsigned long long d, unsigned long long e,
                                   unsigned long long f, unsigned long long g,
                                   unsigned long long h);

#ifdef __cplusplus
}
#endif

#define OMEN_IF_(function, arguments)                                          \
  (function ? (void)function arguments : (void)0)
#define OMEN_ATOMIC_BEGIN(label) OMEN_IF_ (__omen_note_begin, (label))
#define OMEN_ATOMIC_END(label) OMEN_IF_ (__omen_note_end, (label))
#define OMEN_HAPPENS_BEFORE(addr) OMEN_IF_ (__omen_note_before, (addr))
#define OMEN_HAPPENS_AFTER(addr) OMEN_IF_ (__omen_note_after, (addr))
#define OMEN_IGNORE_BEGIN() OMEN_IF_ (__omen_note_ignore_begin, ())
#define OMEN_IGNORE_END() OMEN_IF_ (__omen_note_ignore_end, ())
#define OMEN_DEAD(p) OMEN_IF_ (__omen_note_dead, (p))

/* OMEN_EVENT by the number of its parameters. */
#define OMEN_VALUE_(x) ((unsigned long long)(__UINTPTR_TYPE__)(x))
#define OMEN_POINTER_(x, i) ((__builtin_classify_type (x) == 5 ? 1u : 0u) << i)
#define OMEN_EVENT_0_(text, n)                                                 \
  OMEN_IF_ (__omen_note_event, (text, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
#define OMEN_EVENT_1_(text, n, a)                                              \
  OMEN_IF_ (__omen_note_event, (text, 1, OMEN_POINTER_ (a, 0),                 \
                                OMEN_VALUE_ (a), 0, 0, 0, 0, 0, 0, 0))
#define OMEN_EVENT_2_(text, n, a, b)                                           \
  OMEN_IF_ (__omen_note_event,                                                 \
            (text, 2, OMEN_POINTER_ (a, 0) | OMEN_POINTER_ (b, 1),             \
             OMEN_VALUE_ (a), OMEN_VALUE_ (b), 0, 0, 0, 0, 0, 0))
#define OMEN_EVENT_3_(text, n, a, b, c)                                        \
  OMEN_IF_ (                                                                   \
      __omen_note_event,                                                       \
      (text, 3,                                                                \
       OMEN_POINTER_ (a, 0) | OMEN_POINTER_ (b, 1) | OMEN_POINTER_ (c, 2),     \
       OMEN_VALUE_ (a), OMEN_VALUE_ (b), OMEN_VALUE_ (c), 0, 0, 0, 0, 0))
#define OMEN_EVENT_4_(text, n, a, b, c, d)                                     \
  OMEN_IF_ (__omen_note_event,                                                 \
            (text, 4,                                                          \
             OMEN_POINTER_ (a, 0) | OMEN_POINTER_ (b, 1)                       \
                 | OMEN_POINTER_ (c, 2) | OMEN_POINTER_ (d, 3),                \
             OMEN_VALUE_ (a), OMEN_VALUE_ (b), OMEN_VALUE_ (c),                \
             OMEN_VALUE_ (d), 0, 0, 0, 0))
#define OMEN_EVENT_5_(text, n, a, b, c, d, e)                                  \
  OMEN_IF_ (__omen_note_event,                                                 \
            (text, 5,                                                          \
             OMEN_POINTER_ (a, 0) | OMEN_POINTER_ (b, 1)                       \
                 | OMEN_POINTER_ (c, 2) | OMEN_POINTER_ (d, 3)                 \
                 | OMEN_POINTER_ (e, 4),                                       \
             OMEN_VALUE_ (a), OMEN_VALUE_ (b), OMEN_VALUE_ (c),                \
             OMEN_VALUE_ (d), OMEN_VALUE_ (e), 0, 0, 0))
#define OMEN_EVENT_6_(text, n, a, b, c, d, e, f)                               \
  OMEN_IF_ (__omen_note_event,                                                 \
            (text, 6,                                                          \
             OMEN_POINTER_ (a, 0) | OMEN_POINTER_ (b, 1)                       \
                 | OMEN_POINTER_ (c, 2) | OMEN_POINTER_ (d, 3)                 \
                 | OMEN_POINTER_ (e, 4) | OMEN_POINTER_ (f, 5),                \
             OMEN_VALUE_ (a), OMEN_VALUE_ (b), OMEN_VALUE_ (c),                \
             OMEN_VALUE_ (d), OMEN_VALUE_ (e), OMEN_VALUE_ (f), 0, 0))
#define OMEN_EVENT_7_(text, n, a, b, c, d, e, f, g)                            \
  OMEN_IF_ (                                                                   \
      __omen_note_event,                                                       \
      (text, 7,                                                                \
       OMEN_POINTER_ (a, 0) | OMEN_POINTER_ (b, 1) | OMEN_POINTER_ (c, 2)      \
           | OMEN_POINTER_ (d, 3) | OMEN_POINTER_ (e, 4)                       \
           | OMEN_POINTER_ (f, 5) | OMEN_POINTER_ (g, 6),                      \
       OMEN_VALUE_ (a), OMEN_VALUE_ (b), OMEN_VALUE_ (c), OMEN_VALUE_ (d),     \
       OMEN_VALUE_ (e), OMEN_VALUE_ (f), OMEN_VALUE_ (g), 0))
#define OMEN_EVENT_8_(text, n, a, b, c, d, e, f, g, h)                         \
  OMEN_IF_ (__omen_note_event,                                                 \
            (text, 8,                                                          \
             OMEN_POINTER_ (a, 0) | OMEN_POINTER_ (b, 1)                       \
                 | OMEN_POINTER_ (c, 2) | OMEN_POINTER_ (d, 3)                 \
                 | OMEN_POINTER_ (e, 4) | OMEN_POINTER_ (f, 5)                 \
                 | OMEN_POINTER_ (g, 6) | OMEN_POINTER_ (h, 7),                \
             OMEN_VALUE_ (a), OMEN_VALUE_ (b), OMEN_VALUE_ (c),                \
             OMEN_VALUE_ (d), OMEN_VALUE_ (e), OMEN_VALUE_ (f),                \
             OMEN_VALUE_ (g), OMEN_VALUE_ (h)))
#define OMEN_EVENT_PICK_(n, a, b, c, d, e, f, g, h, macro, ...) macro
#define OMEN_EVENT(...)                                                        \
  OMEN_EVENT_PICK_ (__VA_ARGS__, OMEN_EVENT_8_, OMEN_EVENT_7_, OMEN_EVENT_6_,  \
                    OMEN_EVENT_5_, OMEN_EVENT_4_, OMEN_EVENT_3_,               \
                    OMEN_EVENT_2_, OMEN_EVENT_1_, OMEN_EVENT_0_, 0)            \
  (#__VA_ARGS__, __VA_ARGS__)

#endif
#endif
