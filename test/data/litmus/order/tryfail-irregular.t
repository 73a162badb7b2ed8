# The lock is irregular, so T1 takes it for reading only after the try of T2 has
# failed, as in the trace; but a failed try does not synchronise.
# order: 1-4
# misuse: 3 taken-twice
T1|acq(l)|f.c:1
T2|w(x)|f.c:2
T2|tryfail(l)|f.c:3
T1|racq(l)|f.c:4
T1|r(x)|f.c:5
