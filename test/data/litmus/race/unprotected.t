# Two writes that nothing orders.
# race: 0-1
T1|w(x)|a.c:0
T2|w(x)|a.c:1
