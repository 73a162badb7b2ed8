# Each variable has its own lock, and the pair is written in the other order than
# it is read: the two blocks cross, and each is interrupted by the other.
# atomicity: sum R1-W2'-R2-W1' 2-10-5-13, set W1-R2'-R1'-W2 10-2-5-13
# sidetrack: none
T1|begin(sum)|a.c:1
T1|acq(m)|a.c:2
T1|r(x=0)|a.c:3
T1|rel(m)|a.c:4
T1|acq(n)|a.c:5
T1|r(y=0)|a.c:6
T1|rel(n)|a.c:7
T1|end(sum)|a.c:8
T2|begin(set)|b.c:1
T2|acq(n)|b.c:2
T2|w(y=1)|b.c:3
T2|rel(n)|b.c:4
T2|acq(m)|b.c:5
T2|w(x=1)|b.c:6
T2|rel(m)|b.c:7
T2|end(set)|b.c:8
