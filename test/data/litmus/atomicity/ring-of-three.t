# Each block reads what another one wrote; no two of them violate each other. The
# way from C to A is there only after the one from A to B.
# observed: C
# atomicity: none
# race: 3-4 5-6 7-8
T1|begin(A)|a.c:1
T2|begin(B)|b.c:1
T3|begin(C)|c.c:1
T1|w(x)|a.c:2
T2|r(x)|b.c:2
T3|w(y)|c.c:2
T1|r(y)|a.c:3
T2|w(z)|b.c:3
T3|r(z)|c.c:3
T1|end(A)|a.c:4
T2|end(B)|b.c:4
T3|end(C)|c.c:4
