*|init(x=5)|
T2|r(x=6)|f.c:7
