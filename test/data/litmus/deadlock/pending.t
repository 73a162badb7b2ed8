# It did happen: both requests are still open.
# deadlock: 2-3
T1|acq(a)|a.c:0
T2|acq(b)|a.c:1
T1|req(b)|a.c:2
T2|req(a)|a.c:3
