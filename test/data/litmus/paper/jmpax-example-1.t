# Example 1 of the JMPaX paper: x=-1; z=x+3 beside x=1; y=x+z.
# race: 0-3 0-4 1-3 2-5
t1|w(x=-1)|a.c:0
t1|r(x=-1)|a.c:1
t1|w(z=2)|a.c:2
t2|w(x=1)|a.c:3
t2|r(x=1)|a.c:4
t2|r(z=2)|a.c:5
t2|w(y=3)|a.c:6
