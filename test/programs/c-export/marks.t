# Atomic blocks, functions (nested, twice, recursive, not left), branches,
# property events, happens-before edges.
main|enter(main)|k.c:1
main|fork(worker 1)|k.c:2
main|begin(transfer "all")|k.c:3
main|enter(deposit)|k.c:10
main|r(balance=0)|k.c:11
main|branch()|k.c:12
main|enter(deposit)|k.c:10
main|w(balance=5)|k.c:11
main|exit(deposit)|k.c:13
main|exit(deposit)|k.c:13
main|end(transfer "all")|k.c:4
main|hb(box)|k.c:5
worker 1|ha(box)|k.c:20
worker 1|enter(deposit)|k.c:10
worker 1|r(balance=5)|k.c:11
worker 1|emit(create,c=1,i=&balance,int=open)|k.c:21
worker 1|emit(tick)|k.c:22
worker 1|emit(many,a=1,b=2,c=3,d=4,e=5,f=6,g=7,h=8,i=9)|k.c:23
main|join(worker 1)|k.c:6
main|exit(main)|k.c:7
