# Blocks need not be closed in order: f is still open when A is not.
# atomicity: A R-W-R 1-9-3, f R-W-W 3-9-5
T1|begin(A)|a.c:1
T1|r(x)|a.c:2
T1|enter(f)|a.c:3
T1|r(x)|a.c:4
T1|end(A)|a.c:5
T1|w(x)|a.c:6
T1|exit(f)|a.c:7
T2|begin(B)|b.c:1
T2|end(B)|b.c:2
T2|w(x)|b.c:3
# race: 1-9 3-9 5-9
