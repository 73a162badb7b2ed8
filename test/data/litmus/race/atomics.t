# Two atomics never race.
# race: none
T1|aw(x=1)|a.c:0
T2|ar(x=1)|a.c:1
