# Told of something else.
# race: 0-3
T1|w(x)|a.c:0
T1|hb(o)|a.c:1
T2|ha(p)|a.c:2
T2|r(x)|a.c:3
