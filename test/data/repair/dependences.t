T1|rel(l)|f.c:1
T1|r(x=1)|f.c:2
T1|branch()|f.c:3<-1
T1|w(y=1)|f.c:4^2
