# A lock of a library that was not woven, and what it guards: nobody knows.
# unverified: race 3-9
# note: only if libspin.so, not compiled by omen cc, does not synchronise here
T0|fork(T1)|f.c:1
T1|hb(libspin.so,maybe)|f.c:10
T1|ha(libspin.so,maybe)|f.c:10
T1|w(x=1)|f.c:11
T1|hb(libspin.so,maybe)|f.c:12
T1|ha(libspin.so,maybe)|f.c:12
T0|fork(T2)|f.c:2
T2|hb(libspin.so,maybe)|f.c:10
T2|ha(libspin.so,maybe)|f.c:10
T2|w(x=2)|f.c:11
T2|hb(libspin.so,maybe)|f.c:12
T2|ha(libspin.so,maybe)|f.c:12
