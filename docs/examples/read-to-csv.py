#!/usr/bin/env python3
"""Values of points into a CSV file, a line each time they are read.

    python3 read-to-csv.py http://127.0.0.1:8991 "PCS 1" P,Q values.csv 10 1

Arguments: address, device, codes with commas between, file, number of lines, seconds between them. LOOPCHECK_TOKEN is sent where it is set.
Sends nothing to the device: something has to read it. A value that is not good is an empty cell. Exit code 2: a request was refused.
"""
import csv
import json
import os
import sys
import time
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
    if len(sys.argv) != 7:
        print("Give address, device, codes, file, number of lines and seconds between them.", file=sys.stderr)
        sys.exit(2)
    address, device, codes, path, lines, pause = sys.argv[1:]
    wanted = {"device_name": device, "points": [{"code": code} for code in codes.split(",")]}
    items = call(address, "points/read", wanted)["items"]
    # with a BOM, so that Excel takes it as UTF-8
    with open(path, "w", newline="", encoding="utf-8-sig") as file:
        table = csv.writer(file)
        table.writerow(["time"] + [f"{item['code']} {item['unit']}".strip() for item in items])
        for line in range(int(lines)):
            if line > 0:
                time.sleep(float(pause))
                items = call(address, "points/read", wanted)["items"]
            now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            table.writerow([now] + [item["value"] if item["quality"] == "good" else "" for item in items])
            file.flush()


main()
