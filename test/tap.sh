# For suites that are shell scripts: . "$TOP/test/tap.sh"
#
#   short                          is this the short form (OMEN_CAMPAIGN=short)?
#   version                        prints the version, as meson.build has it
#   check NAME COMMAND…            ok if COMMAND succeeds
#   same NAME WANTED SEEN          ok if the two files have the same bytes
#   exits CODE NAME COMMAND…       ok if COMMAND ends with CODE
#   refused CODE NAME WORDS COMMAND…
#                                  ok if COMMAND ends with CODE, prints nothing
#                                  on stdout and one message with WORDS in it
#                                  (a basic regular expression) on stderr
#   retry TIMES WHY COMMAND…       run COMMAND until it succeeds, TIMES times at
#                                  most; no check by itself
#
# exits and refused leave what COMMAND printed in the files out and err.
#
# A retry is for what a run is free not to show, such as an order of threads that
# the kernel chooses; the place that uses it says what that is. It never hides an
# answer of omen that is right only sometimes. test/run counts the lines
# "# retry: WHY" of a suite and prints how many there were.

short () {
  [ "${OMEN_CAMPAIGN:-}" = short ]
}

version () {
  sed -n "s/^  version: '\([^']*\)'.*/\1/p" "$TOP/meson.build"
}

tap () { # STATUS NAME
  if [ "$1" -eq 0 ]; then
    echo "ok - $2"
  else
    echo "not ok - $2"
    [ $# -lt 3 ] || printf '# %s\n' "$3"
  fi
}

retry () { # TIMES WHY COMMAND…
  tap_left=$1 tap_why=$2; shift 2
  until "$@"; do
    tap_left=$((tap_left - 1))
    [ $tap_left -gt 0 ] || return 1
    echo "# retry: $tap_why"
  done
}

check () {
  tap_name=$1; shift
  "$@"
  tap $? "$tap_name"
}

same () {
  diff -u "$2" "$3" >tap.diff 2>&1
  tap $? "$1" "$(cat tap.diff)"
}

exits () {
  tap_code=$1 tap_name=$2; shift 2
  "$@" >out 2>err
  tap_seen=$?
  [ $tap_seen -eq "$tap_code" ]
  tap $? "$tap_name" "code $tap_seen instead of $tap_code; $(head -c 2000 err)"
}

# The last lines, which argp adds ("Try `omen … --help' …"), are no message.
one_message () { # WORDS
  sed '/^Try /,$d' err >tap.message
  [ ! -s out ] && [ "$(wc -l <tap.message)" -eq 1 ] && grep -q "^omen" err &&
    grep -q -e "$1" tap.message
}

refused () {
  tap_code=$1 tap_name=$2 tap_words=$3; shift 3
  "$@" >out 2>err
  tap_seen=$?
  [ $tap_seen -eq "$tap_code" ] && one_message "$tap_words"
  tap $? "$tap_name" "code $tap_seen; $(head -c 2000 err)"
}
