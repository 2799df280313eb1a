"""DL/T 645-2007 peer on the PyPI package dlt645, told what to do by lines on standard input; one line answers each.

  dlt645_peer.py server METER [PATH BAUD]        prints `listening PORT` (0 on a serial line); then `set GROUP DI VALUE`,
                                                 `password LEVEL_AND_OCTETS`
  dlt645_peer.py client METER PORT               prints `connected`; then `read GROUP DI`, `address`, `write DI VALUE PASSWORD`,
                                                 `freeze`, `rate BAUD`, `events PASSWORD`, `rename METER`, `change OLD NEW`
  dlt645_peer.py client METER PATH BAUD          the same as master on a serial line

METER has twelve digits; GROUP is the highest octet of DI, which is hexadecimal. Answers: `ok VALUE...` or `failed TEXT`. The package
takes addresses and passwords in the order of the wire; it says nothing about a write that was taken, so `write` and `change` answer ok. Pseudo terminals have no parity, so serial lines are 8N1 here.
"""

import socket
import sys

from dlt645 import MeterClientService, MeterServerService


def say(*words):
    print(*words, flush=True)


def on_the_wire(meter):
    return "".join(meter[at : at + 2] for at in range(10, -1, -2))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def serve(meter, path=None, baud="0"):
    port = 0 if path else free_port()
    if path:
        service = MeterServerService.new_rtu_server(path, 8, 1, int(baud), "N", 1.0)
    else:
        service = MeterServerService.new_tcp_server("127.0.0.1", port, 60.0)
    service.set_address(on_the_wire(meter))
    service.start()
    say("listening", port)
    for line in sys.stdin:
        command, *words = line.split()
        if command == "password":
            done = service.set_password(words[0])
        elif words[0] == "04":
            done = service.set_04(int(words[1], 16), words[2])
        else:
            done = {"00": service.set_00, "02": service.set_02}[words[0]](int(words[1], 16), float(words[2]))
        say("ok" if done else f"failed {command}")


def ask(meter, place, baud=None):
    if baud:
        client = MeterClientService.new_rtu_client(place, int(baud), 8, 1, "N", 3.0)
    else:
        client = MeterClientService.new_tcp_client("127.0.0.1", int(place), 3.0)
    client.set_address(on_the_wire(meter))
    client.connect()
    say("connected")
    for line in sys.stdin:
        command, *words = line.split()
        if command in ("write", "change"):
            if command == "write":
                client.write_04(int(words[0], 16), words[1], words[2])
            else:
                client.change_password(words[0], words[1])
            say("ok")
            continue
        if command == "address":
            item = client.read_address()
        elif command == "freeze":
            item = client.freeze(99, 99, 99, 99)
        elif command == "rate":
            item = client.change_baud_rate(int(words[0]))
        elif command == "events":
            item = client.clear_event(words[0])
        elif command == "rename":
            item = client.write_address(on_the_wire(words[0]))
        else:
            reads = {"00": client.read_00, "01": client.read_01, "02": client.read_02, "04": client.read_04}
            item = reads[words[0]](int(words[1], 16))
        if item is None:
            say("failed nothing")
        else:
            say("ok", str(getattr(item.value, "value", item.value)).replace(" ", "_") or "-")


{"server": serve, "client": ask}[sys.argv[1]](*sys.argv[2:])
