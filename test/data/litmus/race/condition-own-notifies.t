# A notify for each: both are next.
# race: 4-5
T1|wait(c)|f.c:1
T2|wait(c)|f.c:2
T3|notify(c)|f.c:3
T3|notify(c)|f.c:3
T1|w(x)|f.c:4
T2|w(x)|f.c:6
