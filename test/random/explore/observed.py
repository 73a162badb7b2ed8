"""What runs of drawn programs observed: the file of observe.h."""
import struct

THREADS, SEEN, RUNS = 4, 30, 20000
RECORD = THREADS * (2 + SEEN)
UNBORN, ABORTED, ENDED = 0, 253, 254


def prepare(path):
    with open(path, "wb") as file:
        file.truncate(4 + RUNS * RECORD)


def thread(record, t):
    at, count, *seen = struct.unpack_from(f"BB{SEEN}b", record, t * (2 + SEEN))
    return tuple(seen[:count]), at


def read(path, threads):
    """(behaviours, failures) as schedules.Found has them, and the number of
    runs."""
    behaviours, failures = set(), set()
    with open(path, "rb") as file:
        runs, = struct.unpack("I", file.read(4))
        for _ in range(runs):
            record = file.read(RECORD)
            seen = [thread(record, t) for t in range(threads)]
            aborted = {(t, saw) for t, (saw, at) in enumerate(seen)
                       if at == ABORTED}
            failures |= aborted
            if not aborted:
                behaviours.add(tuple((saw, end(at)) for saw, at in seen))
    return behaviours, failures, runs


def end(at):
    return {UNBORN: "unborn", ENDED: "ended"}.get(at, at - 1)
