#!/usr/bin/env python3
"""Values of a device as they change, a line each; comes back where it was when the connection is lost.

    python3 watch-stream.py http://127.0.0.1:8991 1 100

Arguments: address, number of the channel (GET /api/channel/list), number of lines. LOOPCHECK_TOKEN is sent where it is set. Exit code 2: a request was refused.
"""
import json
import os
import sys
import time
import urllib.error
import urllib.request

LONGEST_PAUSE_S = 5


def events(address, channel, place):
    """Events of the stream behind a place: name, id and data."""
    headers = {"Last-Event-ID": place} if place else {}
    if os.environ.get("LOOPCHECK_TOKEN"):
        headers["Authorization"] = "Bearer " + os.environ["LOOPCHECK_TOKEN"]
    query = f"kinds=values&channel_id={channel}&since=all"
    request = urllib.request.Request(f"{address}/api/events/stream?{query}", headers=headers)
    # a line comes every 15 s at least
    with urllib.request.urlopen(request, timeout=45) as stream:
        event, number, data = "", None, ""
        for line in stream:
            text = line.decode().rstrip("\n")
            if text.startswith("event: "):
                event = text[7:]
            elif text.startswith("id: "):
                number = text[4:]
            elif text.startswith("data: "):
                data += text[6:]
            elif text == "" and data:
                yield event, number, json.loads(data)
                event, number, data = "", None, ""


def main():
    if len(sys.argv) != 4:
        print("Give address, channel and number of lines.", file=sys.stderr)
        sys.exit(2)
    address, channel, left = sys.argv[1], sys.argv[2], int(sys.argv[3])
    place, pause = None, 0.2
    while left > 0:
        try:
            for event, number, data in events(address, channel, place):
                pause = 0.2
                if event == "missed":
                    print(f"Some changes were not seen: {data['reason']}.", file=sys.stderr)
                for item in data["items"] if event == "values" else []:
                    print(item["updated_at"], item["code"], item["value"], item["quality"], flush=True)
                    left -= 1
                    if left == 0:
                        return
                place = number or place
        except urllib.error.HTTPError as error:
            print(json.load(error)["message"], file=sys.stderr)
            sys.exit(2)
        except OSError as error:
            print(f"{address} does not answer: {error}; trying again.", file=sys.stderr)
        time.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE_S)


main()
