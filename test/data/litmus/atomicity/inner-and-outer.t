# Two windows, one in the inner block and one that only the outer block has.
# atomicity: in W-W-W 4-11-7, out R-W-W 1-11-4, out R-W-W 1-11-7
# sidetrack: after in:out 3-10-6 verified
# race: 1-11
T1|begin(out)|a.c:1
T1|r(x)|a.c:2
T1|begin(in)|a.c:3
T1|acq(m)|a.c:4
T1|w(x)|a.c:5
T1|rel(m)|a.c:6
T1|acq(m)|a.c:7
T1|w(x)|a.c:8
T1|rel(m)|a.c:9
T1|end(in)|a.c:10
T2|acq(m)|b.c:1
T2|w(x)|b.c:2
T2|rel(m)|b.c:3
T1|end(out)|a.c:11
