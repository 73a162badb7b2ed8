# Released by another thread.
# misuse: 1 not-holder
T1|acq(m)|a.c:0
T2|rel(m)|a.c:1
