A|w(cfg+0:4=1)|
A|w(cfg+6:1=1)|
A|w(cfg+5:4=1)|
A|w(cfg+13:1=1)|
A|w(other+0:4=1)|
