# Ranges that share bytes.
# race: 0-1
T1|w(s+0:4=1)|a.c:0
T2|w(s+2:4=2)|a.c:1
