# A third thread notifies it as well: that one serves if the first write is
# held back.
# race: 1-5
T1|wait(c)|a.c:1
T2|w(x)|a.c:2
T2|notify(c)|a.c:3
T3|notify(c)|a.c:4
T1|notifyall(c)|a.c:5
T1|w(x)|a.c:6
