# As two-semaphores, but one of them only tries.
# stuck: none
T0|seminit(a,1)|f.c:1
T0|seminit(b,1)|f.c:2
T0|fork(T1)|f.c:3
T0|fork(T2)|f.c:4
T1|down(a)|f.c:5
T1|down(b)|f.c:6
T1|up(b)|f.c:7
T1|up(a)|f.c:8
T2|down(b)|f.c:9
T2|down(a,try)|f.c:10
T2|up(a)|f.c:11
T2|up(b)|f.c:12
T0|join(T1)|f.c:13
T0|join(T2)|f.c:14
