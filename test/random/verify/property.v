== slices: what binds the same or less
> property P(int p, int q) {
>   event both(p, q);
>   event one(p);
>   event two(q);
>   ere: both one two
> }
T1|emit(both,p=1,q=1)
T1|emit(one,p=1)
T1|emit(two,q=2)
T1|emit(two,q=1)
T1|emit(one,p=2)
ok rf property P 0 match 0 1 3 {p=1,q=1} : 0-3
no rf property P 0 match 0 1 2 {p=1,q=1} : 0-3 : sees it, but it is not claimed there
no rf property P 0 match 0 1 {p=1,q=1} : 0-1 : the formula is not in that category there
no rf property P 0 match 1 {p=1} : 0-1 : the formula is not in that category there
no rf property P 0 fail 0 {p=1,q=1} : 0 : no such category
no rf property P 1 match 0 {p=1,q=1} : 0 : no such formula
no rf property Q 0 match 0 {p=1,q=1} : 0 : no such property

== an instance binds all that it has seen
> property P(int p, int q) {
>   event a(p);
>   event b(q);
>   ere: a* b
> }
T1|emit(b,q=1)
T1|emit(a,p=1)
T1|emit(b,q=1)
ok rf property P 0 match 0 {q=1} : 0
no rf property P 0 match 0 {p=1,q=1} : 0 : not in that category
no rf property P 0 match 1 2 {p=1,q=1} : 0-2 : it is not claimed there

== events before the first creation event do not count
> property P(int c, int i) {
>   event create(c, i);
>   event update(c);
>   event next(i);
>   ere: create next* update+ next
> }
T1|emit(update,c=1)
T1|emit(create,c=1,i=1)
T1|emit(update,c=1)
T1|emit(next,i=1)
ok rf property P 0 match 0 1 2 3 {c=1,i=1} : 0-3

== what moves a temporal formula is a creation event
> property A(int r) {
>   event auth(r);
>   event use(r);
>   ltl: [](use => <*> auth)
>   ptltl: use => <*> auth
> }
T1|emit(auth,r=1)
T1|emit(use,r=1)
T1|emit(use,r=2)
no rf property A 0 violation 0 1 {r=1} : 0-1 : not in that category
no rf property A 1 violation 0 1 {r=1} : 0-1 : not in that category
ok rf property A 0 violation 2 {r=2} : 0-2
ok rf property A 1 violation 2 {r=2} : 0-2

== the rest of a slice, not the slice, has to bind all
> property P(int p, int q) { event a(p); event b(q); ere: b }
T1|emit(a,p=1)
T1|emit(b,q=1)
no rf property P 0 match 0 1 {p=1,q=1} : 0 1 : not in that category
ok rf property P 0 match 1 {q=1} : 0 1

== marked creation events are those, and no others
> property P(int r) { creation event a(r); event b(r); ere: b }
T1|emit(a,r=1)
T1|emit(b,r=1)
no rf property P 0 match 0 1 {r=1} : 0 1 : not in that category

== marked creation events are those
> property P(int r) {
>   event a(r);
>   creation event b(r);
>   ere: b
>   @match { }
> }
T1|emit(a,r=1)
T1|emit(b,r=1)
ok rf property P 0 match 0 1 {r=1} : 0-1

== with fail every event counts
> property P(int r) {
>   event a(r);
>   event b(r);
>   ere: b a
>   @fail { }
> }
T1|emit(a,r=1)
T1|emit(b,r=1)
ok rf property P 0 fail 0 {r=1} : 0

== ere: its operators
> property E { event a(); event b(); event c();
>   ere: (a | b)+ & ~(a b) @match { }
>   ere: a^2 b? c* @match { } @fail { }
>   ere: a empty | epsilon @match { } @fail { }
>   ere: a b | ~(a* b*) @match { } @nonfail { }
> }
T1|emit(a)
T1|emit(b)
T1|emit(a)
T1|emit(c)
ok rf property E 0 match 0 : 0
no rf property E 0 match 0 1 : 0 1 : not in that category
ok rf property E 0 match 0 1 2 : 0-2
no rf property E 0 match 0 1 2 3 : 0-3 : not in that category
no rf property E 1 match 0 : 0 : not in that category
no rf property E 1 fail 0 : 0 : not in that category
ok rf property E 1 fail 0 1 : 0 1
ok rf property E 2 fail 0 : 0
no rf property E 2 match 0 : 0 : not in that category
ok rf property E 3 match 0 1 : 0 1
ok rf property E 3 match 0 1 2 : 0-2
ok rf property E 3 nonfail 0 : 0

== ere: repeated and optional parts
> property E { event a(); event b();
>   ere: a^2 b? @match { }
>   ere: (a b)* @match { }
> }
T1|emit(a)
T1|emit(a)
T1|emit(b)
T2|emit(a)
T2|emit(b)
T2|emit(a)
T2|emit(b)
ok rf property E 0 match 0 1 : 0 1
ok rf property E 0 match 0 1 2 : 0 1 2
ok rf property E 1 match 3 4 5 6 : 3 4 5 6
no rf property E 1 match 3 4 5 : 3 4 5 : not in that category

== fsm: transitions, default, aliases
> property F { event a(); event b(); event c();
>   fsm: s [ a -> t, b -> s ] t [ a -> s, default u ] u [ c -> u ] alias on = t, u
>   @t { } @on { } @fail { } @nonfail { } @s { }
> }
T1|emit(b)
T1|emit(a)
T1|emit(c)
T1|emit(c)
T1|emit(a)
T1|emit(a)
T2|emit(a)
T2|emit(a)
ok rf property F 0 s 0 : 0
ok rf property F 0 t 0 1 : 0 1
no rf property F 0 t 0 1 2 : 0-2 : not in that category
ok rf property F 0 on 0 1 2 : 0-2
ok rf property F 0 on 0 1 2 3 : 0-3
ok rf property F 0 nonfail 0 1 2 3 : 0-3
ok rf property F 0 fail 0 1 2 3 4 : 0-4
no rf property F 0 on 0 1 2 3 4 : 0-4 : not in that category
ok rf property F 0 fail 0 1 2 3 4 5 : 0-5
ok rf property F 0 s 6 7 : 6 7

== fsm: what the start does not name makes no instance
> property F(int r) { event a(r); event b(r);
>   fsm: s [ b -> t ] t [ default t ]
>   @t { }
> }
T1|emit(a,r=1)
T1|emit(b,r=1)
ok rf property F 0 t 0 1 {r=1} : 0 1

== cfg: nested, ambiguous, left-recursive, with empty parts
> property C { event a(); event b(); event c();
>   cfg: S -> a S b | E, E -> epsilon @match { } @fail { }
>   cfg: S -> S S | a | E c, E -> epsilon @match { } @fail { } @nonfail { }
>   cfg: S -> N a, N -> N b @match { } @fail { }
> }
T1|emit(a)
T1|emit(a)
T1|emit(b)
T1|emit(b)
T1|emit(b)
T2|emit(c)
T2|emit(a)
no rf property C 0 match 0 1 2 : 0-2 : not in that category
ok rf property C 0 match 0 1 2 3 : 0-3
no rf property C 0 fail 0 1 2 3 : 0-3 : not in that category
ok rf property C 0 fail 0 1 2 3 4 : 0-4
ok rf property C 1 match 0 1 : 0 1
ok rf property C 1 match 5 : 5
ok rf property C 1 match 5 6 : 5 6
ok rf property C 1 nonfail 5 6 : 5 6
ok rf property C 1 fail 0 1 2 : 0-2
ok rf property C 2 fail 0 : 0

== cfg: empty parts in a row, and rules that have no words
> property C { event a(); event b();
>   cfg: S -> E E a, E -> epsilon | b @match { }
>   cfg: S -> a N | b, N -> N b @fail { }
> }
T1|emit(a)
T1|emit(b)
ok rf property C 0 match 0 : 0
ok rf property C 1 fail 0 : 0

== ltl: no continuation keeps two promises that exclude each other
> property L { event a(); event b(); ltl: o a and o b }
T1|emit(a)
ok rf property L 0 violation 0 : 0

== ltl: decided when every continuation agrees, and told once
> property L { event a(); event b();
>   ltl: a U b @violation { } @validation { }
>   ltl: o b @violation { } @validation { }
>   ltl: [] (a => <> b) @violation { } @validation { }
>   ltl: <> b and [] not b @violation { }
>   ltl: [] (b => (*) a) @violation { }
> }
T1|emit(a)
T1|emit(b)
T1|emit(b)
no rf property L 0 validation 0 : 0 : not in that category
ok rf property L 0 validation 0 1 : 0 1
no rf property L 0 validation 0 1 2 : 0-2 : not in that category
no rf property L 1 violation 0 : 0 : not in that category
ok rf property L 1 validation 0 1 : 0 1
no rf property L 2 validation 0 1 : 0 1 : not in that category
no rf property L 2 violation 0 : 0 : not in that category
ok rf property L 3 violation 0 : 0
no rf property L 4 violation 0 1 : 0 1 : not in that category
ok rf property L 4 violation 0 1 2 : 0-2

== ptltl: at every event
> property T { event a(); event b(); event c();
>   ptltl: <*> a @validation { } @violation { }
>   ptltl: (not c) S a @validation { } @violation { }
>   ptltl: [a, b} @validation { } @violation { }
>   ptltl: a xor (*) a @validation { }
> }
T1|emit(a)
T1|emit(c)
T1|emit(b)
T1|emit(a)
ok rf property T 0 validation 0 1 : 0 1
ok rf property T 0 validation 0 1 2 : 0-2
ok rf property T 1 validation 0 : 0
ok rf property T 1 violation 0 1 : 0 1
ok rf property T 2 validation 0 1 : 0 1
ok rf property T 2 violation 0 1 2 : 0-2
ok rf property T 2 validation 0 1 2 3 : 0-3
ok rf property T 3 validation 0 : 0
ok rf property T 3 validation 0 1 : 0 1
no rf property T 3 validation 0 1 2 : 0-2 : not in that category

== state predicates
> extern int x;
> property S { event a(); ltl: [] (a => x > 0) }
*|init(x=1)
T3|emit(a)
T1|w(x=0)
T2|emit(a)
ok rf property S 0 violation 1 2 : 1 2
no rf property S 0 violation 0 1 : 0 1 : not in that category
no rf property S 0 violation 2 : 2 : not in that category

== pattern: threads, parallel steps, regions, disorder
> property M { event a(); event b(); event c();
>   pattern: a(t1) b(t2)
>   pattern: a(t1) || b(t2)
>   pattern: !(a b)
>   pattern: a(t1,<r1) b(t2) c(t1,>r1)
>   pattern: a b* c
>   pattern: a c and b
>   pattern: c or a a
> }
T1|emit(a)
T2|emit(b)
T1|emit(b)
T1|emit(c)
T2|emit(a)
ok rf property M 0 match 0 1 : 0 1
no rf property M 0 match 0 2 : 0 2 : not in that category
ok rf property M 1 match 0 1 : 0 1
no rf property M 1 match 0 2 1 : 0 2 1 : not in that category
ok rf property M 2 match 1 0 : 1 0
no rf property M 2 match 0 1 : 0 1 : not in that category
ok rf property M 3 match 0 1 2 3 : 0-3
no rf property M 3 match 0 2 3 : 0 2 3 : not in that category
ok rf property M 4 match 0 2 3 : 0 2 3
ok rf property M 5 match 0 2 3 : 0 2 3
no rf property M 5 match 0 2 : 0 2 : not in that category
ok rf property M 6 match 0 1 2 3 : 0-3
no rf property M 6 match 0 1 : 0 1 : not in that category
ok rf property M 6 match 0 1 4 : 0 1 4

== pattern: a region's end is the one that pairs with its begin
> property R { event lock(); event unlock(); event see();
>   pattern: lock(t1,<r1) see(t2) unlock(t1,>r1)
> }
T1|emit(lock)
T1|emit(lock)
T1|emit(unlock)
T2|emit(see)
T1|emit(unlock)
T1|emit(unlock)
ok rf property R 0 match 0 1 2 3 4 : 0-4
no rf property R 0 match 0 1 3 2 4 5 : 0 1 3 2 4 5 : not in that category

== pattern: another region's end is none
> property R { event lock(); event unlock(); event see();
>   pattern: lock(t1,<r1) see(t2) unlock(t1,>r1)
> }
T1|emit(lock)
T1|emit(unlock)
T2|emit(see)
T1|emit(lock)
T1|emit(unlock)
no rf property R 0 match 0 1 2 3 4 : 0-4 : not in that category

== pattern: three steps out of order, and parts that are all there
> property D { event a(); event b(); event c();
>   pattern: !(a b c)
>   pattern: a b and c
> }
T1|emit(a)
T1|emit(b)
T1|emit(c)
T2|emit(b)
no rf property D 0 match 0 1 2 : 0-2 : not in that category
ok rf property D 0 match 3 0 1 2 : 3 0 1 2
no rf property D 1 match 0 1 : 0 1 : not in that category
ok rf property D 1 match 0 1 2 : 0-2

== pattern: what is apart in the run is not parallel
> property P { event a(); event b(); pattern: a(t1) || b(t2) }
T1|emit(a)
T1|w(x)
T2|emit(b)
no rf property P 0 match 0 2 : 0-2 : not in that category
ok rf property P 0 match 0 2 : 0 2

== modifiers
> full-binding property B(int p, int q) { event a(p); event b(q); ere: a | a b }
> connected property N(int p, int q) { event a(p); event b(q); event c(p, q);
>   ere: a b c? }
> suffix property U(int p) { event a(p); event b(p); ere: a b }
> perthread property H { event a(); event b(); ere: a b }
T1|emit(a,p=1)
T1|emit(b,q=1,p=1)
T1|emit(c,p=1,q=1)
T2|emit(a,p=1)
T2|emit(b,q=1,p=1)
ok rf property B 0 match 0 1 {p=1,q=1} : 0 1
no rf property B 0 match 0 {p=1} : 0 : not in that category
no rf property N 0 match 0 1 {p=1,q=1} : 0 1 : not in that category
ok rf property N 0 match 0 1 2 {p=1,q=1} : 0-2
ok rf property U 0 match 3 0 1 {p=1} : 3 0 1
ok rf property H 0 match 0 1 {thread=T1} : 0 1
no rf property H 0 match 0 4 {thread=T1} : 0 3 4 : not all claimed events are in the sequence

== a reset starts anew, for those who report
> property P { event a(); event b();
>   ere: a b* @match { __RESET; }
>   ere: a b* @match { }
>   ere: a @match { if (1) __RESET; }
> }
T1|emit(a)
T1|emit(b)
T1|emit(a)
ok rf property P 0 match 0 : 0
no rf property P 0 match 0 1 : 0 1 : not in that category
no rf property P 0 match 0 1 2 : 0-2 : not in that category
ok rf property P 1 match 0 1 : 0 1
ok rf property P 2 match 0 : 0
no rf property P 2 match 0 1 2 : 0-2 : C code of a handler decides whether the formula starts anew

== C code is not judged
> property P { event a(); monitor: "file.c" }
T1|emit(a)
no rf property P 0 match 0 : 0 : the formula is C code

== a value that has died is another object
> property P(int p, int q) { event make(p, q); event use(q); event drop(p);
>   ere: make drop use }
T1|emit(make,p=1,q=7)
T1|emit(omen_dead,x=1)
T1|emit(drop,p=1)
T1|emit(use,q=7)
T2|emit(make,p=2,q=8)
T2|emit(drop,p=2)
T2|emit(omen_dead,x=2)
T2|emit(use,q=8)
no rf property P 0 match 0 1 2 3 {p=1,q=7} : 0-3 : not in that category
ok rf property P 0 match 4 5 6 7 {p=2,q=8} : 4-7

== the last read of a thread is the same event whatever it sees, if nobody looks
> property N() { event deref before get(p); event setnull before set(p);
>   pattern: deref(t1) || setnull(t2)
>   pattern: deref(t1) setnull(t2) deref(t1) }
> property V(int v) { event deref before get(p) && args(v); event setnull before set(p);
>   pattern: setnull(t2) deref(t1) }
> property C() { event deref before get(p) && args(v) && if (v > 0);
>   event setnull before set(p); pattern: setnull(t2) deref(t1) }
*|init(p=1)|
T1|r(p=1)|
T1|r(p=1)|
T1|r(p=1)|
T2|w(p=0)|
ok value property N 0 match 0 3 : 0 3
ok rf property N 1 match 0 3 1 : 0 3 1
no value property N 1 match 0 3 1 2 : 0 3 1 2 : which is not what it saw
no value property V 0 match 3 0 {v=1} : 3 0 : does not see what it saw in the trace
no value property C 0 match 3 0 : 3 0 : does not see what it saw in the trace

== an update writes, so it has to see what it saw
> property U() { event add before get(x); event set before set(x);
>   pattern: set(t2) add(t1) }
*|init(x=0)|
T1|rmw(x=0:1)|
T2|w(x=5)|
no value property U 0 match 1 0 : 1 0 : does not see what it saw in the trace
