#!/bin/sh
# leveldb's db_bench without cmake's dependences: leveldb.sh COMPILER, in its sources
set -e
mkdir -p o/port && cd o
sed -e 's/#cmakedefine01 HAVE_\(FDATASYNC\|O_CLOEXEC\)/#define HAVE_\1 1/' \
    -e 's/#cmakedefine01 \(HAVE_[A-Z0-9]*\)/#define \1 0/' \
    ../port/port_config.h.in > port/port_config.h
for f in ../db/*.cc ../table/*.cc ../util/*.cc ../helpers/memenv/memenv.cc \
         ../benchmarks/db_bench.cc; do
  case $f in
  *_test.cc | *leveldbutil.cc | *env_windows.cc | *env_posix_test*) continue ;;
  esac
  $1 -std=c++11 -O2 -g -DLEVELDB_PLATFORM_POSIX=1 -DNDEBUG -fno-rtti \
    -fno-exceptions -I. -I.. -I../include -c "$f"
done
$1 -O2 -g ./*.o -o ../db_bench -lpthread
