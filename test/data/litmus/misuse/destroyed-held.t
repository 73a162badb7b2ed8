# Freed while it is held.
# misuse: 1 destroyed-held
T1|acq(m)|a.c:0
T2|destroy(m)|a.c:1
T1|rel(m)|a.c:2
