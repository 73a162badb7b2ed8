# Figure 3 of the RV paper, its events 1 to 11 as 0 to 10
T0|emit(create_coll,m=m1,c=c1)|f.c:1
T0|emit(create_coll,m=m1,c=c2)|f.c:2
T0|emit(create_iter,c=c1,i=i1)|f.c:3
T0|emit(create_iter,c=c1,i=i2)|f.c:4
T0|emit(use_iter,i=i1)|f.c:5
T0|emit(create_iter,c=c2,i=i3)|f.c:6
T0|emit(update_map,m=m1)|f.c:7
T0|emit(use_iter,i=i2)|f.c:8
T0|emit(create_coll,m=m2,c=c3)|f.c:9
T0|emit(create_iter,c=c3,i=i4)|f.c:10
T0|emit(use_iter,i=i4)|f.c:11
