T1|r(x)|f.c:1
T1|w(y)|f.c:2<-1
