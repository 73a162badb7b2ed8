"""Random small programs for omen explore, each in two forms: C, and the
instructions that schedules.py interprets.

A program has two or three threads and up to eight operations on shared objects,
in main too. A thread is a list of statements:

  (read r x) (load r a) (write x v) (store a v) (add r a k) (swap r a k)
  (cas r a old new)                                  memory; v: number, or (r, k)
  (lock m) (unlock m) (try r m BODY) (rlock l) (wlock l) (tryrlock r l BODY)
  (runlock l)
  (wait c m) (signal c) (broadcast c)
  (up s) (down s) (trydown r s) (getvalue r s) (arrive r b)
  (if r op k THEN ELSE) (while r x op k BODY) (check r op k)
  (fork t) (join t)

r is a local; what it gets is an observation. A check that fails aborts.
"""
import random

VARIABLES = "xyz"
ATOMICS = "ab"
CMP = {"==": lambda p, q: p == q, "!=": lambda p, q: p != q,
       "<": lambda p, q: p < q, ">": lambda p, q: p > q}


class Drawn:
    """Program number `seed`: .threads (lists of statements, main first), .start
    (variable -> value), .count (of the semaphore), .meet (of the barrier)."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed = seed
        r = self.random
        self.start = {v: r.choice([0, 0, 0, 1]) for v in VARIABLES + ATOMICS}
        self.count = r.choice([0, 0, 1, 2])
        self.meet = 2
        self.style = r.choice(["memory", "memory", "locks", "locks", "atomics",
                               "conditions", "conditions", "semaphores",
                               "readers", "mixed", "mixed"])
        self.variables = VARIABLES[:r.choice([1, 1, 2, 2, 3])]
        self.locals = 0
        others = r.choice([2, 2, 3, 3]) if r.random() < .9 else 1
        budget = r.choice([5, 6, 6, 7, 7, 8, 8, 8])
        shares = [1] * others
        for _ in range(budget - others):
            shares[r.randrange(others)] += 1
        self.meets = r.random() < .06 and others == 2
        bodies = [self.thread(n) for n in shares]
        self.threads = [self.main(bodies)] + bodies

    # A thread that does about `count` operations.
    def thread(self, count):
        self.known = []
        body = self.block(count, ())
        if self.meets:
            body.insert(self.random.randint(0, len(body)),
                        ("arrive", self.observe(), "B"))
        return body

    def main(self, bodies):
        r = self.random
        self.known = []
        body = []
        for t in range(1, len(bodies) + 1):
            body.append(("fork", t))
            if r.random() < .12 or len(bodies) == 1:
                body += self.block(r.choice([1, 2]), ())
        body += [("join", t) for t in range(1, len(bodies) + 1)]
        for _ in range(r.choice([0, 1, 1, 2])):
            body.append(("read", self.observe(), r.choice(self.variables)))
        if self.known and r.random() < .5:
            body.append(self.check())
        return body

    def block(self, count, held):
        body = []
        while count > 0:
            size = self.random.randint(1, min(count, 4))
            body += self.statement(size, held)
            count -= size
            if self.known and self.random.random() < .1:
                body.append(self.check())
        return body

    def observe(self):
        self.locals += 1
        self.known = self.known + [f"r{self.locals}"]
        return self.known[-1]

    def value(self):
        r = self.random
        if self.known and r.random() < .3:
            return (r.choice(self.known), r.randint(0, 1))
        return r.choice([0, 1, 1, 2, 2, 3])

    def test(self):
        r = self.random
        return r.choice(self.known[-2:]), r.choice(["==", "!=", "==", "<", ">"]), \
            r.randint(0, 2)

    def check(self):
        local, _, _ = self.test()
        return ("check", local, "!=", self.random.randint(0, 3))

    # Statements of `size` operations or fewer, with the locks `held`.
    def statement(self, size, held):
        r = self.random
        kinds = {"memory": ["memory"] * 8 + ["lock"],
                 "locks": ["memory"] * 4 + ["lock"] * 5,
                 "atomics": ["memory"] * 2 + ["atomic"] * 5 + ["lock"],
                 "conditions": ["memory"] * 2 + ["condition"] * 5 + ["lock"] * 2,
                 "semaphores": ["memory"] * 3 + ["semaphore"] * 5,
                 "readers": ["memory"] * 4 + ["readers"] * 5,
                 "mixed": ["memory", "lock", "atomic", "condition", "semaphore",
                           "readers"]}[self.style]
        if self.known and size > 1 and r.random() < .35:
            return self.branch(size, held)
        kind = r.choice(kinds)
        return getattr(self, kind)(size, held)

    def branch(self, size, held):
        test = self.test()
        known = self.known
        then = self.block(size - 1, held)
        self.known = known
        other = self.block(1, held) if self.random.random() < .3 else []
        self.known = known
        return [("if", *test, then, other)]

    def memory(self, _size, _held):
        v = self.random.choice(self.variables)
        if self.random.random() < .5:
            return [("read", self.observe(), v)]
        return [("write", v, self.value())]

    def atomic(self, _size, _held):
        r = self.random
        a = r.choice(ATOMICS)
        kind = r.choice(["load", "load", "store", "store", "add", "swap", "cas"])
        if kind == "store":
            return [("store", a, self.value())]
        if kind == "load":
            return [("load", self.observe(), a)]
        if kind == "cas":
            old, new = r.randint(0, 1), r.randint(0, 2)
            return [("cas", self.observe(), a, old, new)]
        k = r.randint(1, 2)
        return [(kind, self.observe(), a, k)]

    def lock(self, size, held):
        r = self.random
        free = [m for m in "mn" if m not in held]
        if not free:
            return self.memory(size, held)
        m = r.choice(free)
        if r.random() < .25:
            tried = self.observe()
            known = self.known
            body = self.block(size - 1, held + (m,))
            self.known = known
            return [("try", tried, m, body)]
        return [("lock", m)] + self.block(size - 1, held + (m,)) + [("unlock", m)]

    def condition(self, size, held):
        """Waits and notifies, with the lock of the condition or (notifies)
        without it, with a predicate or without."""
        r = self.random
        c, m = r.choice([("c", "m"), ("c", "m"), ("d", "n")])
        v = r.choice(self.variables)
        if m in held:
            return [(r.choice(["signal", "broadcast"]), c)]
        if r.random() < .5:
            change = [("write", v, r.randint(0, 2))] if size > 1 else []
            tell = [(r.choice(["signal", "signal", "broadcast"]), c)]
            if r.random() < .4:
                return change + tell
            return [("lock", m)] + change + tell + [("unlock", m)]
        if any(other in held for other in "mn" if other != m) and r.random() < .7:
            return self.memory(size, held)
        known = self.known
        if size > 1 and r.random() < .7:
            seen = self.observe()
            test = r.choice([("==", 0), ("!=", 1), ("<", 1)])
            kind = r.choice(["while", "while", "if"])
            body = [("lock", m)]
            if kind == "while":
                body += [("while", seen, v, *test, [("wait", c, m)])]
            else:
                body += [("read", seen, v),
                         ("if", seen, *test, [("wait", c, m)], [])]
        else:
            body = [("lock", m), ("wait", c, m)]
        if r.random() < .5:
            body.append(("read", self.observe(), v))
        else:
            self.known = known
        return body + [("unlock", m)]

    def semaphore(self, _size, _held):
        r = self.random
        kind = r.choice(["up", "up", "down", "down", "trydown", "getvalue"])
        if kind in ("up", "down"):
            return [(kind, "s")]
        return [(kind, self.observe(), "s")]

    def readers(self, size, held):
        r = self.random
        if "l" in held:
            return self.memory(size, held)
        kind = r.choice(["rlock", "rlock", "wlock", "wlock", "tryrlock"])
        inside = held + ("l",)
        if kind == "tryrlock":
            tried = self.observe()
            known = self.known
            body = self.block(size - 1, inside)
            self.known = known
            return [("tryrlock", tried, "l", body)]
        return [(kind, "l")] + self.block(size - 1, inside) + [("runlock", "l")]


def flat(statements):
    """Instructions: statements without blocks in them, ("jump", target) and
    ("branch", r, op, k, where to go if not)."""
    code = []
    flatten(statements, code)
    return code + [("end",)]


def flatten(statements, code):
    for s in statements:
        if s[0] == "if":
            at = len(code)
            code.append(None)
            flatten(s[4], code)
            code.append(None)
            code[at] = ("branch", *s[1:4], len(code))
            flatten(s[5], code)
            code[code.index(None, at)] = ("jump", len(code))
        elif s[0] == "while":
            at = len(code)
            code += [("read", s[1], s[2]), None]
            flatten(s[5], code)
            code.append(("jump", at))
            code[at + 1] = ("branch", s[1], s[3], s[4], len(code))
        elif s[0] in ("try", "tryrlock"):
            at = len(code)
            code += [s[:3], None]
            flatten(s[3], code)
            code.append(("unlock" if s[0] == "try" else "runlock", s[2]))
            code[at + 1] = ("branch", s[1], "==", 1, len(code))
        else:
            code.append(s)
