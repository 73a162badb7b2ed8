"""The C of drawn programs; many in one file, chosen by the first argument.

Each operation that may block says first where it is, each observation is said
after it was made (observe.h). The places are those of draw.flat."""
import draw

HEAD = """#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "observe.h"
static volatile int x, y, z;
static _Atomic int a, b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_cond_t d = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t B;
static sem_t s;
static pthread_t threads[4];
"""

SIMPLE = {
    "read": "{0} = {1};", "load": "{0} = atomic_load (&{1});",
    "add": "{0} = atomic_fetch_add (&{1}, {2});",
    "swap": "{0} = atomic_exchange (&{1}, {2});",
    "cas": "{0} = {2}; atomic_compare_exchange_strong (&{1}, &{0}, {3});",
    "write": "{0} = {1};", "store": "atomic_store (&{0}, {1});",
    "lock": "pthread_mutex_lock (&{0});",
    "unlock": "pthread_mutex_unlock (&{0});",
    "rlock": "pthread_rwlock_rdlock (&{0});",
    "wlock": "pthread_rwlock_wrlock (&{0});",
    "runlock": "pthread_rwlock_unlock (&{0});",
    "wait": "pthread_cond_wait (&{0}, &{1});",
    "signal": "pthread_cond_signal (&{0});",
    "broadcast": "pthread_cond_broadcast (&{0});",
    "up": "sem_post (&{0});", "down": "sem_wait (&{0});",
    "trydown": "{0} = !sem_trywait (&{1});",
    "getvalue": "sem_getvalue (&{1}, &{0});",
    "arrive": "{0} = !!pthread_barrier_wait (&{1});",
    "try": "{0} = !pthread_mutex_trylock (&{1});",
    "tryrlock": "{0} = !pthread_rwlock_tryrdlock (&{1});",
    "join": "pthread_join (threads[{0}], NULL);",
}
BLOCKING = {"lock", "rlock", "wlock", "wait", "down", "arrive", "join"}
OBSERVING = {"read", "load", "add", "swap", "cas", "trydown", "getvalue",
             "arrive", "try", "tryrlock"}


class Body:
    """The C of one thread; `places` counts the instructions of draw.flat."""

    def __init__(self, program, thread):
        self.program, self.thread = program, thread
        self.lines, self.places, self.locals = [], 0, set()
        self.block(program.threads[thread], 1)

    def say(self, depth, text):
        self.lines.append("  " * depth + text)

    def block(self, statements, depth):
        for s in statements:
            self.statement(s, depth)

    def simple(self, s, depth):
        if s[0] in BLOCKING:
            self.say(depth, f"observe_at ({self.thread}, {self.places});")
        if s[0] in OBSERVING:
            self.locals.add(s[1])
        words = [f"{w[0]} + {w[1]}" if isinstance(w, tuple) else w for w in s[1:]]
        self.say(depth, SIMPLE[s[0]].format(*words))
        if s[0] in OBSERVING:
            self.say(depth, f"observe ({self.thread}, {s[1]});")
        self.places += 1

    def statement(self, s, depth):
        if s[0] == "if":
            self.places += 1
            self.say(depth, f"if ({s[1]} {s[2]} {s[3]}) {{")
            self.block(s[4], depth + 1)
            self.places += 1
            if s[5]:
                self.say(depth, "} else {")
                self.block(s[5], depth + 1)
            self.say(depth, "}")
        elif s[0] == "while":
            self.say(depth, "for (;;) {")
            self.simple(("read", s[1], s[2]), depth + 1)
            self.say(depth + 1, f"if (!({s[1]} {s[3]} {s[4]})) break;")
            self.places += 1
            self.block(s[5], depth + 1)
            self.places += 1
            self.say(depth, "}")
        elif s[0] in ("try", "tryrlock"):
            self.simple(s[:3], depth)
            self.places += 1
            self.say(depth, f"if ({s[1]}) {{")
            self.block(s[3], depth + 1)
            self.simple(("unlock" if s[0] == "try" else "runlock", s[2]),
                        depth + 1)
            self.say(depth, "}")
        elif s[0] == "check":
            self.places += 1
            self.say(depth, f"if (!({s[1]} {s[2]} {s[3]})) "
                            f"{{ observe_at ({self.thread}, ABORTED); abort (); }}")
        elif s[0] == "fork":
            self.places += 1
            self.say(depth, f"pthread_create (&threads[{s[1]}], NULL, "
                            f"p{self.program.seed}t{s[1]}, NULL);")
        else:
            self.simple(s, depth)

    def text(self):
        head = ["  int " + ", ".join(f"{r} = 0" for r in sorted(self.locals)) + ";"
                ] if self.locals else []
        tail = [f"  observe_at ({self.thread}, ENDED);", "  return NULL;"]
        return ("static void *\np%dt%d (void *arg)\n{\n  (void)arg;\n"
                % (self.program.seed, self.thread)
                + "\n".join(head + self.lines + tail) + "\n}\n")


def begin(program):
    """Objects get their initial values."""
    values = "".join(f"  {v} = {k};\n" for v, k in program.start.items() if k)
    return (f"static void\np{program.seed} (void)\n{{\n{values}"
            f"  sem_init (&s, 0, {program.count});\n"
            f"  pthread_barrier_init (&B, NULL, {program.meet});\n"
            f"  p{program.seed}t0 (NULL);\n}}\n")


def source(programs):
    text = [HEAD]
    for program in programs:
        for thread in range(len(program.threads) - 1, -1, -1):
            text.append(Body(program, thread).text())
        text.append(begin(program))
    text.append("int\nmain (int argc, char **argv)\n{\n"
                "  if (argc > 2)\n    observe_open (argv[2]);\n"
                "  switch (argc > 1 ? atoi (argv[1]) : 0) {\n")
    text += [f"  case {p.seed}: p{p.seed} (); break;\n" for p in programs]
    text.append("  }\n  return 0;\n}\n")
    return "".join(text)
