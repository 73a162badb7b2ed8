# One library may exclude it, the other cannot: the first is named. What both of
# two libraries would have to let pass names both.
# unverified: race 0-6, race 1-8
# note: only if liba.so, not compiled, only if liba.so, libb.so, not compiled
T1|w(x=1)|f.c:1
T1|w(y=1)|f.c:2
T1|hb(liba.so,maybe)|f.c:3
T1|hb(libb.so,maybe)|f.c:4
T2|hb(libb.so,maybe)|g.c:1
T2|ha(liba.so,maybe)|g.c:2
T2|w(x=2)|g.c:3
T2|ha(libb.so,maybe)|g.c:4
T2|w(y=2)|g.c:5
