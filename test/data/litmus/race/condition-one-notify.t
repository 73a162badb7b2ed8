# Each return could use the notify of T3, but not both: they are never next
# together.
# race: none
T1|wait(c)|f.c:1
T2|wait(c)|f.c:2
T3|notify(c)|f.c:3
T1|w(x)|f.c:4
T1|notify(c)|f.c:5
T2|w(x)|f.c:6
