# Released by another thread: its operations keep their order.
# race: 1-3
# misuse: 2 not-holder
T1|acq(m)|a.c:0
T1|w(x)|a.c:1
T2|rel(m)|a.c:2
T2|w(x)|a.c:3
