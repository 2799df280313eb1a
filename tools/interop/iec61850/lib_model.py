"""A server on pyiec61850-ng (libiec61850) whose model comes from a configuration file of the stack; prints `ready`. Commands, see lines.py:

  start FILE                listens with the model of a file that its generator made of an SCL file; answers the port
"""

import socket

import pyiec61850.pyiec61850 as lib

from lines import serve


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    def run(self, name, *rest):
        return getattr(self, name)(*rest)

    def start(self, file):
        self.model = lib.ConfigFileParser_createModelFromConfigFileEx(file)
        if not self.model:
            raise ValueError("the library makes no model of the file")
        self.server = lib.IedServer_create(self.model)
        lib.IedServer_setLocalIpAddress(self.server, "127.0.0.1")
        port = free_port()
        lib.IedServer_start(self.server, port)
        if not lib.IedServer_isRunning(self.server):
            raise ValueError("the server does not run")
        return port


serve(Server().run)
