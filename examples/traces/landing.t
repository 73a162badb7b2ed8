# The airplane of the JMPaX paper. "When the plane lands, permission holds" is
# true of this run: the radio went down (permit = 0) before the tower gave its
# permission. The same events allow a run in which it goes down after the pilot
# looked and before the plane lands.
main|fork(pilot)|landing.c:20
main|fork(radio)|landing.c:21
# e': the radio is down
radio|w(permit=0)|landing.c:14
# e1: the tower permits, e2: the pilot looks, e3: the plane lands
pilot|w(permit=1)|landing.c:5
pilot|r(permit=1)|landing.c:6
pilot|branch()|landing.c:6<-1
pilot|w(landing=1)|landing.c:7^2
main|join(pilot)|landing.c:22
main|join(radio)|landing.c:23
