"""Modbus peer on pymodbus, over TCP or a serial line, told what to do by lines on standard input; one line answers each.

  pymodbus_peer.py server          prints `listening PORT`; then `get FC ADDRESS COUNT`, `set FC ADDRESS VALUE...`
  pymodbus_peer.py client PORT     prints `connected`; then `read FC ADDRESS COUNT`, `write FC ADDRESS VALUE...`,
                                   `mask ADDRESS AND OR`, `readwrite ADDRESS COUNT ADDRESS VALUE...`, `identify`

  pymodbus_peer.py udp-server, udp-client PORT    the same with a frame in each datagram; `connected` says nothing of the other side
  pymodbus_peer.py rtu-server                 as `server`, with RTU frames over TCP
  pymodbus_peer.py serial-server PATH BAUD    the same as RTU slave; prints `listening 0`
  pymodbus_peer.py serial-client PATH BAUD    the same as RTU master
  pymodbus_peer.py ascii-server, ascii-serial-server PATH BAUD, ascii-serial-client PATH BAUD    the same with ASCII frames

Answers: `ok VALUE...`, `exception CODE`, or `failed TEXT`. Unit 1, addresses 0 to 299 in all four tables.
"""

import asyncio
import sys

from pymodbus import FramerType
from pymodbus.client import AsyncModbusSerialClient, AsyncModbusTcpClient, AsyncModbusUdpClient
from pymodbus.datastore import ModbusDeviceContext, ModbusSequentialDataBlock, ModbusServerContext
from pymodbus.server import ModbusSerialServer, ModbusTcpServer, ModbusUdpServer

SIZE = 300


async def lines():
    loop = asyncio.get_running_loop()
    while True:
        line = await loop.run_in_executor(None, sys.stdin.readline)
        if not line:
            return
        yield line.split()


def say(*words):
    print(*words, flush=True)


def table():
    # The device context adds one to every address, so wire address 0 is 1 here.
    return ModbusSequentialDataBlock(1, [0] * SIZE)


def port_of(transport):
    sockets = getattr(transport, "sockets", None)
    address = sockets[0].getsockname() if sockets else transport.get_extra_info("sockname")
    return address[1]


async def serve(path=None, baudrate=0, framer=FramerType.SOCKET, network=ModbusTcpServer):
    device = ModbusDeviceContext(co=table(), di=table(), hr=table(), ir=table())
    context = ModbusServerContext(devices={1: device}, single=False)
    if path:
        server = ModbusSerialServer(context, framer=framer, port=path, baudrate=baudrate)
    else:
        server = network(context, framer=framer, address=("127.0.0.1", 0))
    await server.serve_forever(background=True)
    say("listening", 0 if path else port_of(server.transport))
    async for command, function, address, *values in lines():
        numbers = [int(value) for value in values]
        if command == "get":
            got = device.getValues(int(function), int(address), numbers[0])
            say("ok", *(int(value) for value in got))
        else:
            device.setValues(int(function), int(address), numbers)
            say("ok")
    await server.shutdown()


async def ask(client, words):
    command, *arguments = words
    numbers = [int(value) for value in arguments]
    if command == "read":
        function, address, count = numbers
        call = [client.read_coils, client.read_discrete_inputs, client.read_holding_registers, client.read_input_registers][function - 1]
        answer = await call(address, count=count, device_id=1)
        return answer, (answer.bits[:count] if function <= 2 else answer.registers)
    if command == "write":
        function, address, *values = numbers
        if function == 5:
            return await client.write_coil(address, bool(values[0]), device_id=1), []
        if function == 6:
            return await client.write_register(address, values[0], device_id=1), []
        if function == 15:
            return await client.write_coils(address, [bool(value) for value in values], device_id=1), []
        return await client.write_registers(address, values, device_id=1), []
    if command == "mask":
        return await client.mask_write_register(address=numbers[0], and_mask=numbers[1], or_mask=numbers[2], device_id=1), []
    if command == "readwrite":
        answer = await client.readwrite_registers(
            read_address=numbers[0], read_count=numbers[1], write_address=numbers[2], values=numbers[3:], device_id=1
        )
        return answer, answer.registers
    answer = await client.read_device_information(read_code=1, object_id=0, device_id=1)
    return answer, [value.decode("ascii").replace(" ", "_") for value in answer.information.values()]


async def request(client):
    if not await client.connect():
        say("failed no connection")
        return
    say("connected")
    async for words in lines():
        try:
            answer, values = await ask(client, words)
            if answer.isError():
                say("exception", answer.exception_code)
            else:
                say("ok", *(value if isinstance(value, str) else int(value) for value in values))
        except Exception as error:
            say("failed", repr(error))
    client.close()


def serial_framer(role):
    return FramerType.ASCII if role.startswith("ascii") else FramerType.RTU


async def main(role, *where):
    if role == "server":
        await serve()
    elif role == "udp-server":
        await serve(network=ModbusUdpServer)
    elif role == "udp-client":
        await request(AsyncModbusUdpClient("127.0.0.1", port=int(where[0]), timeout=3, retries=0))
    elif role == "rtu-server":
        await serve(framer=FramerType.RTU)
    elif role == "ascii-server":
        await serve(framer=FramerType.ASCII)
    elif role.endswith("serial-server"):
        await serve(where[0], int(where[1]), framer=serial_framer(role))
    elif role.endswith("serial-client"):
        await request(AsyncModbusSerialClient(where[0], framer=serial_framer(role), baudrate=int(where[1]), timeout=3, retries=0))
    else:
        await request(AsyncModbusTcpClient("127.0.0.1", port=int(where[0]), timeout=3, retries=0))


asyncio.run(main(*sys.argv[1:]))
