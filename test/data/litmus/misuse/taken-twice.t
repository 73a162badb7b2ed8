# A mutex taken again by its holder.
# misuse: 1 taken-twice
T1|acq(m)|a.c:0
T1|acq(m)|a.c:1
T1|rel(m)|a.c:2
T1|rel(m)|a.c:3
T2|w(x)|a.c:4
