== ha comes after the hbs before it in the trace, not only as many
T1|hb(o)
T2|hb(o)
T3|ha(o)
T4|hb(o)
ok rf pattern 1 0 2 : 1 0 2
ok rf pattern 3 1 0 2 : 3 1 0 2
no rf pattern 2 : 2 : 2 hb events precede it in the trace, the first 0 of them are here
no rf pattern 2 : 0 2 : the first 1 of them
no rf pattern 2 : 1 2 : the first 0 of them
no rf pattern 2 : 3 0 2 : the first 1 of them
no rf pattern 2 : 3 1 2 : the first 0 of them

== an order that a library may have made counts, for who takes the trace as it is
T1|w(x)
T1|hb(lib.so,maybe)
T2|ha(lib.so,maybe)
T2|w(x)
ok rf pattern 0 1 2 : 0 1 2
no rf pattern 2 : 2 : 1 hb events precede it in the trace, the first 0 of them are here
no rf race 0 3 : 2 : the first 0 of them
no rf race-order 0 3 : 0-3 : claim: T1:0 w(x): is synchronised before T2:1 w(x)
