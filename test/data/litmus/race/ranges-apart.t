# Neighbouring bytes.
# race: none
T1|w(s+0:4=1)|a.c:0
T2|w(s+4:4=2)|a.c:1
