# No race, and yet not deterministic: both accesses are made under the lock, so
# nothing is wrong with either order of the two sections, but the reader sees
# another value if it comes first.
*|init(x=0)|
main|fork(writer)|order.c:14
main|fork(reader)|order.c:15
writer|acq(l)|order.c:4
writer|w(x=1)|order.c:5
writer|rel(l)|order.c:6
reader|acq(l)|order.c:9
reader|r(x=1)|order.c:10
reader|rel(l)|order.c:11
main|join(writer)|order.c:16
main|join(reader)|order.c:17
