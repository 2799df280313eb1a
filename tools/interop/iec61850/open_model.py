"""A server on open61850 whose model comes from an SCL file; prints `ready`. Commands, see lines.py:

  start FILE                listens; answers the port
"""

from open61850.server import IedModel, MmsServer

from lines import serve


class Server:
    def run(self, name, *rest):
        return getattr(self, name)(*rest)

    def start(self, file):
        self.server = MmsServer(IedModel.from_scl(file), "127.0.0.1", 0)
        self.server.start()
        return self.server.port


serve(Server().run)
