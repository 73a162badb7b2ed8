# A deadlock that did not happen: two transfers take the locks of the same two
# accounts in opposite order. Here one was over before the other began.
main|fork(T1)|transfer.c:20
main|fork(T2)|transfer.c:21
# from a to b
T1|acq(a)|transfer.c:5
T1|acq(b)|transfer.c:6
T1|w(moved=1)|transfer.c:7
T1|rel(b)|transfer.c:8
T1|rel(a)|transfer.c:9
# from b to a: if T1 holds a when T2 has b, neither gets any further
T2|acq(b)|transfer.c:5
T2|acq(a)|transfer.c:6
T2|w(moved=2)|transfer.c:7
T2|rel(a)|transfer.c:8
T2|rel(b)|transfer.c:9
main|join(T1)|transfer.c:22
main|join(T2)|transfer.c:23
