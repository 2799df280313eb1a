#!/bin/sh
# A factory test without anybody at the screen: the measurements of one channel against a reference channel, and the record as the result.
#
#   sh factory-test.sh http://127.0.0.1:8991 1 2 record.html
#
# Arguments: address, number of the channel under test, number of the reference (GET /api/channel/list), file. Both channels are started.
# LOOPCHECK_TOKEN is sent where it is set. Exit code 0: every item passed; 1: some did not; 2: the test could not be made. Needs curl.
set -u
if [ $# -ne 4 ]; then
  echo 'Give address, channel under test, reference and file.' >&2
  exit 2
fi
address=$1 tested=$2 reference=$3 record=$4

# The header comes by the standard input, so that no list of processes shows the token.
call() {
  path=$1
  shift
  printf '%s\n' "${LOOPCHECK_TOKEN:+Authorization: Bearer $LOOPCHECK_TOKEN}" |
    curl -sS -H @- --fail-with-body -H 'Content-Type: application/json' "$@" "$address/api/$path"
}
fail() {
  echo "$1" >&2
  exit 2
}
# The first whole number of this name.
number() { sed -n "s/.*\"$1\":\([0-9][0-9]*\).*/\1/p" | head -n 1; }

answer=$(call check/add -d '{"name":"Factory test"}') || fail "$answer"
session=$(echo "$answer" | sed 's/.*"data":{"id":\([0-9]*\).*/\1/')
answer=$(call check/add_items -d "{\"session_id\":$session,\"channel_id\":$tested,\"frame_types\":[0]}") || fail "$answer"
compare="{\"session_id\":$session,\"operator\":\"factory test\",\"reference_channel_id\":$reference,\"percent\":1}"
answer=$(call check/compare -d "$compare") || fail "$answer"
while echo "$answer" | grep -q '"state":"running"'; do
  sleep 1
  answer=$(call check/run) || fail "$answer"
done
call "check/record?session_id=$session&format=html" -o "$record" || fail 'The record could not be written.'
open=$(call "check/items?session_id=$session&state=open&page_size=1") || fail "$open"
open=$(echo "$open" | number total)
[ "$open" = 0 ] && echo 'All passed.' && exit 0
echo "$open did not pass; see $record."
exit 1
