"""Traces with the statistics of Table A1 of the nondeterminism paper (Sinha,
Malik, Gupta): of programs that never were, but could have been.

Threads form a pipeline. A communicating variable has an owner that writes it;
threads further down read it (or, against the stream, further up), some of that
in critical sections of the variable's lock; the rest of the accesses are reads
of constants. Waits are handshakes: a thread further up notifies, one further
down waits. So a write can overtake a read as far as the stream lets it run
ahead, which gives the paper's shares of feasible witnesses."""
import random

# name: threads, events, lock events, locks, accesses, variables, wait-notify
# events; possible witnesses; of 100: refuted, feasible without choices, with
ROWS = {
    'conpool': ((4, 97, 16, 1, 53, 5, 3), 252, (88, 12, 0)),
    'liveness': ((7, 283, 44, 9, 163, 12, 6), 855, (83, 17, 0)),
    'SynchBench': ((16, 1510, 306, 2, 533, 15, 0), 47526, (83, 17, 0)),
    'Barrier': ((10, 653, 108, 2, 262, 12, 7), 3975, (81, 19, 0)),
    'account': ((11, 902, 146, 21, 430, 42, 10), 1416, (73.6, 23, 3.4)),
    'DaisyTest': ((3, 2998, 422, 10, 2003, 45, 15), 383007, (79.8, 16.1, 4.1)),
    'Elevator': ((4, 3004, 370, 11, 1795, 70, 0), 3249, (82, 18, 0)),
    'philo': ((6, 1141, 126, 6, 857, 23, 22), 4893, (84, 16, 0)),
    'ThriftTrace1': ((4, 2406, 226, 12, 869, 62, 53), 618, (58, 16, 26)),
    'ThriftTrace2': ((4, 11357, 1384, 48, 3184, 171, 324), 35610, (82.7, 16.3, 1)),
    'ThriftTrace3': ((6, 20640, 1724, 158, 8818, 519, 349), 479142, (83, 16.5, 0)),
}

# How many of 100: accesses of streams in a critical section, reads against the
# stream, reads by the owner; reads for each write; published variables; in which
# part of the trace (of 100) the handshakes are.
KNOBS = {name: dict(locked=40, back=5, own=10, per_write=2, publish=0, early=100) for name in ROWS}
KNOBS['conpool'].update(own=45)
KNOBS['liveness'].update(own=30)
KNOBS['Barrier'].update(own=30)
KNOBS['account'].update(own=20)
KNOBS['ThriftTrace1'].update(publish=12, early=1)


def shape(row, knobs):
    """[(reads, writes)] of the communicating variables, those that are published
    first, and how many reads of constants are left."""
    (_, _, _, _, accesses, variables, _), witnesses, _ = row
    pairs, per_write, published = witnesses // 3, knobs['per_write'], knobs['publish']
    made = [(1, pairs // published - 1)] * published if published else []
    left = pairs - sum(r * w for r, w in made)
    most = (0.8 * accesses / (1 + per_write)) ** 2 * per_write / left
    count = max(1, min(int(most), 2 if made else variables - 2 if variables < 20 else variables * 2 // 3))
    writes = max(1, round((left / per_write / count) ** 0.5))
    for i in range(count):
        reads = max(1, round(left / (count - i) / writes))
        made.append((reads, writes))
        left -= reads * writes
    return made, accesses - sum(r + w for r, w in made)


class Program:
    """One run of a random program; write (file) prints its trace."""

    def __init__(self, row, knobs, seed):
        self.random = random.Random(seed)
        self.stats, self.knobs = row[0], knobs
        (self.threads, self.events, self.lock_events, self.locks,
         self.accesses, self.variables, self.wn) = self.stats
        self.shape, self.constants = shape(row, knobs)
        self.sections = self.lock_events // 2
        self.unused = set(range(self.locks))
        self.unread = list(range(len(self.shape), self.variables))

    def chance(self, percent):
        return self.random.uniform(0, 100) < percent

    def reader_of(self, owner):
        if self.chance(self.knobs['own']):
            return owner
        down = range(owner + 1, self.threads)
        up = range(1, owner)
        if up and (not down or self.chance(self.knobs['back'])):
            return self.random.choice(up)
        return self.random.choice(down or up or [owner])

    def stream(self):
        """(when, thread, operations) of the variables that flow down the pipeline."""
        for v, (reads, writes) in enumerate(self.shape):
            if v < self.knobs['publish']:
                continue
            owner = 1 + v % max(1, (self.threads - 1) // 2)
            for _ in range(writes):
                yield self.random.random(), owner, self.access(f'w(v{v})', v)
            for _ in range(reads):
                yield self.random.random(), self.reader_of(owner), self.access(f'r(v{v})', v)

    def publish(self):
        """Variables that one thread sets, another overwrites again and again, and the
        last thread reads once. The first quarter is set in the order in which it is
        read, so that the last write can be left out; the others the other way round, so
        that the sections around them leave choices."""
        count = self.knobs['publish']
        names = [f'v{i}' for i in range(count)]
        straight, turned = names[:count // 4], names[count // 4:]
        for i, name in enumerate(straight + turned[::-1]):
            yield 0.01 + i / 1000, 1, self.section([f'w({name})'], 0)
        for i, name in enumerate(names):
            yield 0.03 + i / count / 4, self.threads - 1, self.section([f'r({name})'], 0)
        for part, start in ((turned, 0.3), (straight, 0.7)):
            for _ in range(self.shape[0][1] - 1):
                yield self.random.uniform(start, start + 0.3), 2, self.section([f'w({name})' for name in part], 0)

    def section(self, ops, lock):
        self.sections -= 1
        self.unused.discard(lock)
        return [f'acq(l{lock})', *ops, f'rel(l{lock})']

    def access(self, op, v):
        inside = self.sections > len(self.unused) and self.chance(self.knobs['locked'])
        return self.section([op], v % self.locks) if inside else [op]

    def constant(self):
        self.constants -= 1
        first = len(self.shape)
        v = self.unread.pop() if self.unread else self.random.randrange(first, self.variables)
        return f'r(v{v})'

    def build(self):
        """Everything but forks and joins, as items in the order of time."""
        shakes = self.wn // 2
        self.sections -= 2 * shakes + self.wn % 2
        items = list(self.publish()) if self.knobs['publish'] else []
        items += self.stream()
        for i in range(self.sections):  # the other sections guard constants
            inside = [self.constant() for _ in range(self.random.randrange(3)) if self.constants]
            lock = min(self.unused) if self.unused else i % self.locks
            items.append((self.random.random(), self.anyone(), self.section(inside, lock)))
        while self.constants:
            items.append((self.random.random(), self.anyone(), [self.constant()]))
        items = [item[1:] for item in sorted(items, key=lambda item: item[0])]
        self.weave_shakes(items, shakes)
        return items

    def anyone(self):
        return self.random.randrange(1, self.threads)

    def weave_shakes(self, items, shakes):
        step = self.knobs['early'] / 100 * len(items) / (shakes + 1)
        for i in range(shakes):
            low = self.random.randrange(1, max(2, self.threads - 1))
            high = self.random.randrange(low + 1, self.threads) if low + 1 < self.threads else low - 1
            lock = f'l{i % self.locks}'
            items.insert(int((i + 1) * step), ('shake', low, max(1, high), f'c{i}', lock))
        if self.wn % 2:
            items.append((1, ['acq(l0)', 'notify(c)', 'rel(l0)']))

    def run(self, items):
        """The items in order, up to three of them at a time interleaved."""
        lines, active, holder = [], {}, {}
        queue = list(reversed(items))

        def step():
            thread = self.random.choice(list(active))
            op = active[thread][0]
            if op.startswith('acq') and holder.get(op[3:]):
                return
            if op[:3] in ('acq', 'rel'):
                holder[op[3:]] = op.startswith('acq')
            lines.append(f'T{thread}|{op}')
            active[thread].pop(0)
            if not active[thread]:
                del active[thread]

        while queue or active:
            while queue and len(active) < 3 and queue[-1][0] != 'shake' and queue[-1][0] not in active:
                thread, ops = queue.pop()
                active[thread] = list(ops)
            if active:
                step()
            else:
                lines += self.shake(*queue.pop()[1:])
        return lines

    def shake(self, low, high, condition, lock):
        if low == high:
            high = low % (self.threads - 1) + 1
        return [f'T{high}|acq({lock})', f'T{high}|wait({condition},{lock})',
                f'T{low}|acq({lock})', f'T{low}|notify({condition})', f'T{low}|rel({lock})',
                f'T{high}|wake({condition},{lock})', f'T{high}|rel({lock})']

    def write(self, out):
        lines = [f'T0|fork(T{t})' for t in range(1, self.threads - 1)]
        if self.knobs['publish']:  # the last thread starts behind a section of the first
            lines += [f'T0|{op}' for op in self.section([], 0)]
        lines += [f'T0|fork(T{self.threads - 1})', *self.run(self.build())]
        ends = [f'T0|join(T{t})' for t in range(1, self.threads)]
        spare = self.events - len(lines) - len(ends)
        assert spare >= 0, 'more events than the row has'
        for i in range(spare):
            call = 'branch()' if i % 2 == 0 and i + 1 == spare else 'exit(f)' if i % 2 else 'enter(f)'
            lines.append(f'T{1 + i // 2 % (self.threads - 1)}|{call}')
        for i, line in enumerate(lines + ends):
            print(f'{line}|p.c:{i % 97}', file=out)
