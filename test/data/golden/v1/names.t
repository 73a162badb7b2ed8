T\x00|w(x\x00y)|\x7c
T ÿ|w(\-=\-)|a b c
T\x00|alloc(p,8)|
T\x00|w(p=&p)|
T\x00|alloc(p,16)|
T\x00|w(p=1)|
T\x00|w(p~0=2)|
T\x00|w(q=&p~0+8)|
