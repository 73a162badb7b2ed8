# Readers do not block each other.
# deadlock: none
T1|racq(a)|a.c:0
T1|racq(b)|a.c:1
T1|rrel(b)|a.c:2
T1|rrel(a)|a.c:3
T2|racq(b)|a.c:4
T2|racq(a)|a.c:5
T2|rrel(a)|a.c:6
T2|rrel(b)|a.c:7
