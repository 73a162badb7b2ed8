# Number 10 of Vaziri, Tip and Dolby: a pair is read, and written in between. The
# lock protects each read, not both.
# atomicity: sum R1-W1'-W2'-R2 2-10-11-5
# sidetrack: after sum 1-9-4 verified
T1|begin(sum)|a.c:1
T1|acq(m)|a.c:2
T1|r(x=0)|a.c:3
T1|rel(m)|a.c:4
T1|acq(m)|a.c:5
T1|r(y=0)|a.c:6
T1|rel(m)|a.c:7
T1|end(sum)|a.c:8
T2|begin(set)|b.c:1
T2|acq(m)|b.c:2
T2|w(x=1)|b.c:3
T2|w(y=1)|b.c:4
T2|rel(m)|b.c:5
T2|end(set)|b.c:6
