A|r(x=1)|1
A|r(y=1)|2
A|branch()|3<-0,1
A|w(z=2)|4<-1^2
B|branch()|5
B|w(z=2)|6^0
