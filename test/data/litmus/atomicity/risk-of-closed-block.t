# The culprit came before the first acquire of the inner block, but after the
# first one of the outer block: for that it is in the window, not before it, and
# a third acquire does not change this.
# sidetrack: in out 1-4-8 verified
# atomicity: out W-W-W 2-5-9, out W-W-R 2-5-13, out W-W-R 9-5-13
T1|begin(out)|a.c:1
T1|acq(m)|a.c:2
T1|w(x=1)|a.c:3
T1|rel(m)|a.c:4
T2|acq(m)|b.c:1
T2|w(x=2)|b.c:2
T2|rel(m)|b.c:3
T1|begin(in)|a.c:5
T1|acq(m)|a.c:6
T1|w(x=3)|a.c:7
T1|rel(m)|a.c:8
T1|end(in)|a.c:9
T1|acq(m)|a.c:10
T1|r(x=3)|a.c:11
T1|rel(m)|a.c:12
T1|end(out)|a.c:13
