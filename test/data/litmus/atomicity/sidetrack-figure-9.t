# Figure 9: a calls b, b calls d and c, c calls d, and d synchronizes. The stacks
# a:b:d and a:b:c:d have a and b in common.
# atomicity: b R-W-W 5-18-11
# sidetrack: after b:a 4-17-10 verified
T1|enter(main)|a.c:1
T1|enter(a)|a.c:2
T1|enter(b)|a.c:3
T1|enter(d)|a.c:4
T1|acq(m)|a.c:5
T1|r(x=0)|a.c:6
T1|rel(m)|a.c:7
T1|exit(d)|a.c:8
T1|enter(c)|a.c:9
T1|enter(d)|a.c:4
T1|acq(m)|a.c:5
T1|w(x=1)|a.c:10
T1|rel(m)|a.c:7
T1|exit(d)|a.c:8
T1|exit(c)|a.c:11
T1|exit(b)|a.c:12
T1|exit(a)|a.c:13
T2|acq(m)|b.c:1
T2|w(x=5)|b.c:2
T2|rel(m)|b.c:3
