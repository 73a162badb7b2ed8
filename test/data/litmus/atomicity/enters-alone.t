# Of B, only its write without the lock can come into A. What makes a violation of
# it comes later: B writes x when A is over.
# atomicity: A W1-W2'-W2-W1' 2-10-3-12, B W-W-W 8-3-10, B W1-W2'-W1'-W2 8-2-3-12, B W1-W2'-W1'-W2 10-2-3-12
# sidetrack: before B 7-1-11 verified
# race: 3-10
T1|begin(A)|a.c:1
T1|acq(l)|a.c:2
T1|w(x=1)|a.c:3
T1|w(y=1)|a.c:4
T1|rel(l)|a.c:5
T1|end(A)|a.c:6
T2|begin(B)|b.c:1
T2|acq(l)|b.c:2
T2|w(y=2)|b.c:3
T2|rel(l)|b.c:4
T2|w(y=3)|b.c:5
T2|acq(l)|b.c:6
T2|w(x=2)|b.c:7
T2|rel(l)|b.c:8
T2|end(B)|b.c:9
