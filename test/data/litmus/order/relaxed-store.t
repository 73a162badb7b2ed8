# The flag is seen, but its store releases nothing.
# race: none
# order: 0-3
# note: release store at a.c:1 is relaxed
T1|w(x=1)|a.c:0
T1|aw.rlx(f=1)|a.c:1
T2|ar.acq(f=1)|a.c:2
T2|r(x=1)|a.c:3
