# The same with a notifyall.
# race: none
T1|wait(c)|a.c:1
T2|w(x)|a.c:2
T2|notify(c)|a.c:3
T1|notifyall(c)|a.c:4
T1|w(x)|a.c:5
