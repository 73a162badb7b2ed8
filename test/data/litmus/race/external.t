# Memory changed by others keeps its place.
# race: none
T1|w(x)|a.c:0
T3|ext(x)|a.c:1
T2|w(x)|a.c:2
