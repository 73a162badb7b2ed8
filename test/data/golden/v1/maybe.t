A|hb(lib.so,maybe)|1
A|ha(lib.so,maybe)|1
B|hb(o)|2
A|ha(o)|3
B|ha(a\x2cmaybe)|4
B|hb(a\x2cmaybe,maybe)|5
