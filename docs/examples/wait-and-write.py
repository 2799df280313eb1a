#!/usr/bin/env python3
"""Waits until a point has reached a value, then writes another one.

    python3 wait-and-write.py http://127.0.0.1:8991 "PCS 1" SOC 80 P_SET 0 600

Arguments: address, device, code and least value to wait for, code and value to write, seconds to wait. LOOPCHECK_TOKEN is sent where it is set.
The value is sent once. Exit code 0: the device took it; 1: the time was over, and nothing was sent; 2: a request was refused; 3: the device did not take it.
"""
import json
import os
import sys
import urllib.error
import urllib.request


def call(address, path, body):
    """One request; its data. Ends the program with the words of the service where it is refused."""
    headers = {"Content-Type": "application/json"}
    if os.environ.get("LOOPCHECK_TOKEN"):
        headers["Authorization"] = "Bearer " + os.environ["LOOPCHECK_TOKEN"]
    request = urllib.request.Request(f"{address}/api/{path}", json.dumps(body).encode(), headers, method="POST")
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["data"]
    except urllib.error.HTTPError as error:
        print(json.load(error)["message"], file=sys.stderr)
        sys.exit(2)
    except urllib.error.URLError as error:
        print(f"{address} does not answer: {error.reason}", file=sys.stderr)
        sys.exit(2)


def main():
    if len(sys.argv) != 8:
        print("Give address, device, code and value to wait for, code and value to write, and seconds.", file=sys.stderr)
        sys.exit(2)
    address, device, code, least, target, value, seconds = sys.argv[1:]
    condition = {"device_name": device, "code": code, "condition": "at_least", "value": float(least)}
    waited = call(address, "points/wait", {**condition, "timeout_ms": int(float(seconds) * 1000)})
    if not waited["met"]:
        print(f"{code} is {waited['point']['value']} after {seconds} s; nothing was sent.")
        sys.exit(1)
    write = {"device_name": device, "points": [{"code": target, "value": float(value)}]}
    answer = call(address, "points/write", write)
    for item in answer["items"]:
        print(f"{item['code']} = {item['value']}: {item['outcome']}")
    sys.exit(0 if answer["complete"] else 3)


main()
