# One notifyall serves both.
# race: 3-5
T1|wait(c)|f.c:1
T2|wait(c)|f.c:2
T3|notifyall(c)|f.c:3
T1|w(x)|f.c:4
T1|notify(c)|f.c:5
T2|w(x)|f.c:6
