# A return and an access that is none: one notify will do.
# race: 2-3
T1|wait(c)|f.c:1
T3|notify(c)|f.c:3
T1|w(x)|f.c:4
T2|w(x)|f.c:6
