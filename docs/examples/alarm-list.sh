#!/bin/sh
# Points of a channel that are under or over their limits, or whose value is not good: code, value, alarm and quality, with tabs between.
#
#   sh alarm-list.sh http://127.0.0.1:8991 1
#
# Arguments: address, number of the channel (GET /api/channel/list). LOOPCHECK_TOKEN is sent where it is set.
# From memory: nothing is sent to the device. Exit code 0: none; 1: there are some; 2: the request was refused. Needs curl.
set -u
if [ $# -ne 2 ]; then
  echo 'Give address and channel.' >&2
  exit 2
fi

# The header comes by the standard input, so that no list of processes shows the token.
answer=$(printf '%s\n' "${LOOPCHECK_TOKEN:+Authorization: Bearer $LOOPCHECK_TOKEN}" |
  curl -sS -H @- --fail-with-body "$1/api/device/table?channel_id=$2&page=1&page_size=10000") || {
  echo "$answer" >&2
  exit 2
}
# a row a line, then the fields of each
list=$(printf '%s\n' "$answer" | awk '{ gsub(/[{]"id":[0-9]+,"channel_id":/, "\n&"); print }' | awk '
  function field(name) {
    if (!match($0, "\"" name "\":(\"[^\"]*\"|[^,}]*)")) return ""
    text = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
    gsub(/"/, "", text)
    return text
  }
  /^[{]"id":/ && (field("alarm") != "" || field("quality") != "good") { print field("code") "\t" field("value") "\t" field("alarm") "\t" field("quality") }')
[ -z "$list" ] && exit 0
printf '%s\n' "$list"
exit 1
