== all events, in this order
T1|w(x)
T2|w(x)
T3|w(x)
ok rf pattern 0 1 2 : 0 1 2
ok rf pattern 2 0 : 2 1 0
no rf pattern 0 2 : 2 1 0 : claim: T3:0 w(x): is not in the sequence after the event claimed before it
no rf pattern 0 : 1 2 : is not in the sequence
no rf pattern 0 0 : 0 1 : is not in the sequence after
ok rf pattern 0 : 0
