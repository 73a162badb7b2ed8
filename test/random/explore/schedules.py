"""All schedules of a drawn program, one operation at a time: what its threads
can observe and how they can end, by brute force.

    behaviours, failures = schedules.all_of (program)

A behaviour has for each thread (observations, end): "ended", "unborn" or the
place where it is blocked. A failure is (thread, its observations): it aborts.
A thread that aborts ends there and the others go on, so every failure is found
whatever the others do; runs with an abort are no behaviours.
"""
import collections

import draw

READY, ASLEEP, WOKEN, MEETING, MET, ENDED, ABORTED, UNBORN = range(8)
MUTEXES, CONDITIONS = "mn", "cd"

# memory: dict as sorted tuple; owner of each mutex; writer and readers of l
State = collections.namedtuple(
    "State", "memory owners writer readers count meeting threads")
# sleeps: the condition that it sleeps at; seen: what it has observed
Thread = collections.namedtuple("Thread", "pc phase locals seen")


class Schedules:
    def __init__(self, program, spurious=False):
        self.program = program
        self.spurious = spurious
        self.code = [draw.flat(t) for t in program.threads]

    def first(self):
        threads = [Thread(0, UNBORN, (), ()) for _ in self.code]
        threads[0] = threads[0]._replace(phase=READY)
        state = State(tuple(sorted(self.program.start.items())), (None, None),
                      None, (), self.program.count, (), tuple(threads))
        return self.settle(state, 0)

    def settle(self, state, t):
        """Takes thread t to its next operation that others can notice."""
        thread = state.threads[t]
        if thread.phase != READY:
            return state
        while True:
            op, *args = self.code[t][thread.pc]
            if op == "jump":
                thread = thread._replace(pc=args[0])
            elif op == "branch":
                true = draw.CMP[args[1]](dict(thread.locals)[args[0]], args[2])
                thread = thread._replace(pc=thread.pc + 1 if true else args[3])
            elif op == "check":
                if not draw.CMP[args[1]](dict(thread.locals)[args[0]], args[2]):
                    thread = thread._replace(phase=ABORTED)
                    break
                thread = thread._replace(pc=thread.pc + 1)
            elif op == "end":
                thread = thread._replace(phase=ENDED)
                break
            else:
                break
        return put(state, t, thread)

    # -- one step of one thread: the states it can lead to ------------------

    def steps(self, state, t):
        thread = state.threads[t]
        op, *args = self.code[t][thread.pc]
        if thread.phase == WOKEN:
            return self.take_back(state, t, args[1])
        if thread.phase == ASLEEP and self.spurious:
            return [put(state, t, thread._replace(phase=WOKEN))]
        if thread.phase == MET:
            return [self.on(self.ready(state, t), t, args[0], 0)]
        if thread.phase != READY:
            return []
        return getattr(self, "do_" + op)(state, t, *args)

    def ready(self, state, t):
        return put(state, t, state.threads[t]._replace(phase=READY))

    def on(self, state, t, local=None, value=None):
        """Thread t goes on behind its operation, having observed `value`."""
        thread = state.threads[t]
        if local is not None:
            locals_ = dict(thread.locals)
            locals_[local] = value
            thread = thread._replace(locals=tuple(sorted(locals_.items())),
                                     seen=thread.seen + (value,))
        return self.settle(put(state, t, thread._replace(pc=thread.pc + 1)), t)

    def value(self, state, t, v):
        if isinstance(v, tuple):
            return dict(state.threads[t].locals).get(v[0], 0) + v[1]
        return v

    def do_read(self, state, t, local, x):
        return [self.on(state, t, local, dict(state.memory)[x])]

    do_load = do_read

    def do_write(self, state, t, x, v):
        return [self.on(store(state, x, self.value(state, t, v)), t)]

    do_store = do_write

    def do_add(self, state, t, local, a, k):
        old = dict(state.memory)[a]
        return [self.on(store(state, a, old + k), t, local, old)]

    def do_swap(self, state, t, local, a, k):
        old = dict(state.memory)[a]
        return [self.on(store(state, a, k), t, local, old)]

    def do_cas(self, state, t, local, a, wanted, new):
        old = dict(state.memory)[a]
        return [self.on(store(state, a, new) if old == wanted else state, t,
                        local, old)]

    def do_lock(self, state, t, m):
        if owner(state, m) is not None:
            return []
        return [self.on(own(state, m, t), t)]

    def do_try(self, state, t, local, m):
        if owner(state, m) is not None:
            return [self.on(state, t, local, 0)]
        return [self.on(own(state, m, t), t, local, 1)]

    def do_unlock(self, state, t, m):
        assert owner(state, m) == t
        return [self.on(own(state, m, None), t)]

    def do_rlock(self, state, t, _l):
        if state.writer is not None:
            return []
        return [self.on(read_locked(state, t), t)]

    def do_tryrlock(self, state, t, local, _l):
        if state.writer is not None:
            return [self.on(state, t, local, 0)]
        return [self.on(read_locked(state, t), t, local, 1)]

    def do_wlock(self, state, t, _l):
        if state.writer is not None or state.readers:
            return []
        return [self.on(state._replace(writer=t), t)]

    def do_runlock(self, state, t, _l):
        if state.writer == t:
            return [self.on(state._replace(writer=None), t)]
        assert t in state.readers
        return [self.on(state._replace(
            readers=tuple(r for r in state.readers if r != t)), t)]

    def do_wait(self, state, t, _c, m):
        assert owner(state, m) == t
        thread = state.threads[t]._replace(phase=ASLEEP)
        return [put(own(state, m, None), t, thread)]

    def take_back(self, state, t, m):
        if owner(state, m) is not None:
            return []
        return [self.on(self.ready(own(state, m, t), t), t)]

    def sleepers(self, state, c):
        return [t for t, thread in enumerate(state.threads)
                if thread.phase == ASLEEP
                and self.code[t][thread.pc][1] == c]

    def do_signal(self, state, t, c):
        asleep = self.sleepers(state, c)
        woken = [wake(state, s) for s in asleep] or [state]
        return [self.on(next_, t) for next_ in woken]

    def do_broadcast(self, state, t, c):
        for s in self.sleepers(state, c):
            state = wake(state, s)
        return [self.on(state, t)]

    def do_up(self, state, t, _s):
        return [self.on(state._replace(count=state.count + 1), t)]

    def do_down(self, state, t, _s):
        if not state.count:
            return []
        return [self.on(state._replace(count=state.count - 1), t)]

    def do_trydown(self, state, t, local, _s):
        if not state.count:
            return [self.on(state, t, local, 0)]
        return [self.on(state._replace(count=state.count - 1), t, local, 1)]

    def do_getvalue(self, state, t, local, _s):
        return [self.on(state, t, local, state.count)]

    def do_arrive(self, state, t, local, _b):
        if len(state.meeting) + 1 < self.program.meet:
            state = state._replace(meeting=state.meeting + (t,))
            return [put(state, t, state.threads[t]._replace(phase=MEETING))]
        for other in state.meeting:
            state = put(state, other, state.threads[other]._replace(phase=MET))
        return [self.on(state._replace(meeting=()), t, local, 1)]

    def do_fork(self, state, t, child):
        state = put(state, child, state.threads[child]._replace(phase=READY))
        return [self.on(self.settle(state, child), t)]

    def do_join(self, state, t, child):
        if state.threads[child].phase != ENDED:
            return []
        return [self.on(state, t)]


def put(state, t, thread):
    threads = state.threads
    return state._replace(threads=threads[:t] + (thread,) + threads[t + 1:])


def wake(state, t):
    return put(state, t, state.threads[t]._replace(phase=WOKEN))


def store(state, x, value):
    return state._replace(memory=tuple((k, value if k == x else v)
                                       for k, v in state.memory))


def owner(state, m):
    return state.owners[MUTEXES.index(m)]


def own(state, m, t):
    i = MUTEXES.index(m)
    return state._replace(owners=state.owners[:i] + (t,) + state.owners[i + 1:])


def read_locked(state, t):
    return state._replace(readers=tuple(sorted(state.readers + (t,))))


# What a thread has come to, as the program itself can tell it.
def end_of(thread):
    if thread.phase == ENDED:
        return "ended"
    return "unborn" if thread.phase == UNBORN else thread.pc


class Found:
    """behaviours: sets of what observe.h tells; ends: how many different runs
    there are, those that abort too (the others ran on) and with a waiter that
    sleeps told from one that wants its lock back; states: how many were met."""

    def __init__(self):
        self.behaviours, self.failures, ends = set(), set(), set()
        self.ends, self.states = ends, 0

    def add(self, state):
        self.ends.add(tuple((t.seen, end_of(t), t.phase) for t in state.threads))
        aborted = [(i, t.seen) for i, t in enumerate(state.threads)
                   if t.phase == ABORTED]
        self.failures.update(aborted)
        if not aborted:
            self.behaviours.add(tuple((t.seen, end_of(t))
                                      for t in state.threads))


def all_of(program, limit=200000, spurious=False):
    """None: more than `limit` states."""
    schedules = Schedules(program, spurious)
    found = Found()
    stack = [schedules.first()]
    known = set(stack)
    while stack:
        state = stack.pop()
        ended = True
        for t in range(len(state.threads)):
            for next_ in schedules.steps(state, t):
                ended = False
                if next_ not in known:
                    known.add(next_)
                    stack.append(next_)
        if ended:
            found.add(state)
        if len(known) > limit:
            return None
    found.states = len(known)
    return found


def interesting(first, count):
    """(program, what is found of it) for `count` seeds from `first` on, most
    of those without several behaviours left out."""
    seed = first
    while count:
        program = draw.Drawn(seed)
        found = all_of(program, 20000)
        if found and (len(found.ends) > 1 or seed % 8 == 0):
            count -= 1
            yield program, found
        seed += 1
