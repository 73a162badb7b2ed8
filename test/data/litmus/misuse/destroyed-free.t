# Freed when nobody holds it.
# misuse: none
T1|acq(m)|a.c:0
T1|rel(m)|a.c:1
T1|fork(T2)|a.c:2
T2|destroy(m)|a.c:3
