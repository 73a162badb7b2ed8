# Fences on both sides of relaxed accesses.
# race: none
# order: none
T1|w(x=1)|a.c:0
T1|fence.rel()|a.c:1
T1|aw.rlx(f=1)|a.c:2
T2|ar.rlx(f=1)|a.c:3
T2|fence.acq()|a.c:4
T2|r(x=1)|a.c:5
