# The twin of deadlock.t: whoever transfers takes the gate first, so that the
# opposite orders of a and b can never meet. There is nothing to report.
main|fork(T1)|transfer.c:20
main|fork(T2)|transfer.c:21
T1|acq(gate)|transfer.c:4
T1|acq(a)|transfer.c:5
T1|acq(b)|transfer.c:6
T1|w(moved=1)|transfer.c:7
T1|rel(b)|transfer.c:8
T1|rel(a)|transfer.c:9
T1|rel(gate)|transfer.c:10
T2|acq(gate)|transfer.c:4
T2|acq(b)|transfer.c:5
T2|acq(a)|transfer.c:6
T2|w(moved=2)|transfer.c:7
T2|rel(a)|transfer.c:8
T2|rel(b)|transfer.c:9
T2|rel(gate)|transfer.c:10
main|join(T1)|transfer.c:22
main|join(T2)|transfer.c:23
