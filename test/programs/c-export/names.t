# Names that C, its headers or this program's own helpers have already, names
# that clash, names that are no words, locations of all kinds.
int|w(int=1)|a b.c:3:7
int|w(printf=2)|"quoted\path".c:9
int|w(errno=3)|17
int|w(omen_step=4)|no location at all
int|w(y0=5)|*/ comment.c:1
int|w(x->next[3]=6)|??/trigraph
int|w(x_next_3=7)|x:0
int|w(*/=8)|x:99999999999
int|w(/*=9)|
int|acq(int)|
int|fork(omen_run_int)|
omen_run_int|w(EAGAIN=10)|
omen_run_int|w(_start=11)|
omen_run_int|w(12=12)|
omen_run_int|w(é=13)|é.c:1
omen_run_int|w(é14=14)|
omen_run_int|w(index=14)|
omen_run_int|w(time=15)|
omen_run_int|begin(\x22\\)|
omen_run_int|end(\x22\\)|
omen_run_int|enter(main)|
omen_run_int|enter(ns::f<int, 3>(char *))|
omen_run_int|exit(ns::f<int, 3>(char *))|
omen_run_int|exit(main)|
omen_run_int|emit(if,while=1,while=2,int x=3)|
int|rel(int)|
int|join(omen_run_int)|
int|r(printf=2)|
int|r(x->next[3]=6)|
int|r(x_next_3=7)|
int|r(int=1)|
