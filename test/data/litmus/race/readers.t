# Two reads do not race.
# race: none
T1|r(x)|a.c:0
T2|r(x)|a.c:1
