# One run of examples/bank.c, with a race that the lock hides. The teller notes
# the customer before it takes the lock, the auditor reads the note after it
# released the lock. Here the teller was first, so the lock put the write before
# the read; had the auditor been first, nothing would have stood between them.
*|init(balance=100)|
main|fork(teller)|bank.c:33
main|fork(auditor)|bank.c:34
# the write:
teller|w(last_customer=7)|bank.c:12
teller|acq(lock)|bank.c:13
teller|r(balance=100)|bank.c:14
teller|w(balance=150)|bank.c:14
teller|rel(lock)|bank.c:15
# The two sections have nothing in common: they can be swapped.
auditor|acq(lock)|bank.c:22
auditor|w(fee=2)|bank.c:23
auditor|rel(lock)|bank.c:24
# and the read:
auditor|r(last_customer=7)|bank.c:25
main|join(teller)|bank.c:35
main|join(auditor)|bank.c:36
main|r(balance=150)|bank.c:37
