#!/bin/sh
# The records of all check sessions of the open project, an HTML file each.
#
#   sh export-record.sh http://127.0.0.1:8991 folder
#
# LOOPCHECK_TOKEN is sent where it is set. Exit code 2: a request was refused, or a file was not written. Needs curl.
set -u
if [ $# -ne 2 ]; then
  echo 'Give address and folder.' >&2
  exit 2
fi
address=$1 folder=$2

# The header comes by the standard input, so that no list of processes shows the token.
call() {
  path=$1
  shift
  printf '%s\n' "${LOOPCHECK_TOKEN:+Authorization: Bearer $LOOPCHECK_TOKEN}" | curl -sS -H @- --fail-with-body "$@" "$address/api/$path"
}
fail() {
  echo "$1" >&2
  exit 2
}

answer=$(call check/sessions) || fail "$answer"
# each session begins with its number and its uuid
for session in $(echo "$answer" | grep -o '"id":[0-9]*,"uuid"' | grep -o '[0-9][0-9]*'); do
  file="$folder/session-$session.html"
  call "check/record?session_id=$session&format=html" -o "$file" || fail "$file could not be written."
  echo "$file"
done
