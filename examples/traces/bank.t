# A race that the lock hides in this run. The teller notes the customer before
# it takes the lock, the auditor reads the note after it released the lock. Here
# the teller was first, so the lock put the write before the read; had the
# auditor been first, nothing would have stood between them.
*|init(balance=100)|
main|fork(teller)|bank.c:30
main|fork(auditor)|bank.c:31
# the write:
teller|w(customer=7)|bank.c:8
teller|acq(lock)|bank.c:9
teller|r(balance=100)|bank.c:10
teller|w(balance=150)|bank.c:10
teller|rel(lock)|bank.c:11
# The two sections have nothing in common: they can be swapped.
auditor|acq(lock)|bank.c:18
auditor|w(audits=1)|bank.c:19
auditor|rel(lock)|bank.c:20
# and the read:
auditor|r(customer=7)|bank.c:21
main|join(teller)|bank.c:32
main|join(auditor)|bank.c:33
