"""A SunSpec inverter on pymodbus: models 1, 103, 160 with 155 modules, 64999 of a maker, 705 with curves, and the end mark, from address 40000 on.

Prints `listening PORT`, then answers any line with a JSON object: wire address to the expected value, a number scaled, or a text.
The layout is worked out here from the definitions (argument 1: models.json), apart from the program that is tested.
"""

import asyncio
import json
import struct
import sys

from pymodbus.datastore import ModbusDeviceContext, ModbusSequentialDataBlock, ModbusServerContext
from pymodbus.server import ModbusTcpServer

BASE = 40000
MODULES = 155
COUNTS = {"N": MODULES, "NCrv": 2, "NPt": 3}
FORMATS = {
    "int16": ">h", "uint16": ">H", "acc16": ">H", "enum16": ">H", "bitfield16": ">H", "sunssf": ">h", "count": ">H",
    "int32": ">i", "uint32": ">I", "acc32": ">I", "enum32": ">I", "bitfield32": ">I", "uint64": ">Q", "acc64": ">Q", "float32": ">f",
}
SCALE = -1


class Image:
    def __init__(self):
        self.octets = bytearray(b"SunS")
        self.expected = {}

    @property
    def address(self):
        return BASE + len(self.octets) // 2

    def point(self, definition, count=None):
        kind, name, size = definition["type"], definition["name"], definition["size"]
        address = self.address
        if kind == "string":
            text = f"{name} {address}"[: 2 * size]
            self.octets += text.encode().ljust(2 * size, b"\0")
            self.expected[address] = text
        elif kind == "pad":
            self.octets += b"\x80\x00" * size
        else:
            if kind == "sunssf":
                raw = SCALE
            elif count is not None:
                raw = count
            elif kind == "enum16" and definition.get("symbols"):
                raw = definition["symbols"][0]["value"]
            else:
                raw = address * 7 % 1000
            self.octets += struct.pack(FORMATS[kind], raw)
            self.expected[address] = raw / 10 if isinstance(definition.get("sf"), str) else raw

    def group(self, group, times):
        for definition in group.get("points", []):
            self.point(definition, COUNTS.get(definition["name"]) if times == "top" else None)
        for inner in group.get("groups", []):
            count = inner.get("count", 1)
            for _ in range(MODULES if count == 0 else COUNTS[count] if isinstance(count, str) else count):
                self.group(inner, "inner")

    def model(self, definition):
        start = len(self.octets)
        self.group(definition["group"], "top")
        length = (len(self.octets) - start) // 2 - 2
        self.octets[start : start + 4] = struct.pack(">HH", definition["id"], length)
        for offset in (0, 1):
            del self.expected[BASE + start // 2 + offset]


async def main(path):
    with open(path, encoding="utf-8") as file:
        models = json.load(file)
    image = Image()
    for name in ("1", "103", "160"):
        image.model(json.loads(models[name]))
    image.octets += struct.pack(">HHHHH", 64999, 3, 1, 2, 3)
    image.model(json.loads(models["705"]))
    image.octets += struct.pack(">HH", 0xFFFF, 0)
    registers = list(struct.unpack(f">{len(image.octets) // 2}H", image.octets))
    # The device context adds one to every address.
    device = ModbusDeviceContext(hr=ModbusSequentialDataBlock(BASE + 1, registers))
    server = ModbusTcpServer(ModbusServerContext(devices={1: device}, single=False), address=("127.0.0.1", 0))
    await server.serve_forever(background=True)
    print("listening", server.transport.sockets[0].getsockname()[1], flush=True)
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        print(json.dumps(image.expected), flush=True)
    await server.shutdown()


asyncio.run(main(sys.argv[1]))
