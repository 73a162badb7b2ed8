model rf
