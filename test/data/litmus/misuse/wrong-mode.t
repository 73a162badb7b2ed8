# A writer releases as a reader.
# misuse: 1 not-holder
T1|acq(l)|a.c:0
T1|rrel(l)|a.c:1
T2|w(x)|a.c:2
