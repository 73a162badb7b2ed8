# Calls of a library before the accesses cannot order them, whatever it does.
# race: 3-6
T0|fork(T1)|f.c:1
T1|hb(libspin.so,maybe)|f.c:10
T1|ha(libspin.so,maybe)|f.c:10
T1|w(x=1)|f.c:11
T2|hb(libspin.so,maybe)|f.c:20
T2|ha(libspin.so,maybe)|f.c:20
T2|w(x=2)|f.c:21
T0|join(T1)|f.c:2
