"""
Generates a client with openapi-python-client, compiles it, and uses it against a running service.

Arguments: description of the interface, URL of the service, an empty folder. Prints one line of JSON: operations left out by the generator,
channels and protocols by the generated client, the codes of failures it knows, and what a wrong request answers.
"""

import compileall
import importlib
import json
import os
import pathlib
import re
import subprocess
import sys

description, url, folder = sys.argv[1:4]
package = pathlib.Path(folder, "plant_client")
generated = subprocess.run(
    [sys.executable, "-c", "from openapi_python_client.cli import app; app()", "generate", "--path", description, "--output-path", str(package), "--meta", "none"],
    capture_output=True,
    text=True,
    # the tables of its messages are cut at the width of the terminal
    env={**os.environ, "COLUMNS": "400"},
)
said = generated.stdout + generated.stderr
if generated.returncode != 0 or not package.is_dir():
    sys.exit(f"openapi-python-client fails:\n{said}")
is_compiled = compileall.compile_dir(package, quiet=1, workers=1)

sys.path.insert(0, folder)
client = importlib.import_module("plant_client").Client(base_url=url)


def call(module, **arguments):
    """The answer of one operation as an object of the generated client."""
    return importlib.import_module(f"plant_client.api.{module}").sync(client=client, **arguments)


modules = [path.relative_to(package / "api").with_suffix("").as_posix() for path in (package / "api").glob("*/*.py") if path.stem != "__init__"]
for module in modules:
    importlib.import_module("plant_client.api." + module.replace("/", "."))

listed = call("channels.list_channels")
body_type = importlib.import_module("plant_client.models").AddChannelBody
wrong = call("channels.add_channel", body=body_type.from_dict({"code": "x", "name": "x", "protocol_type": 1, "conn_type": 2, "port": 70000}))
first = listed.data[0].to_dict() if listed.data else None
table = call("points.point_table", channel_id=first["id"], page=1, page_size=50) if first else None

print(
    json.dumps(
        {
            "modules": sorted(module.split("/")[1] for module in modules),
            "isCompiled": bool(is_compiled),
            "leftOut": re.findall(r"WARNING parsing (\w+ \S+)", said),
            "channels": [channel.to_dict() for channel in listed.data],
            "protocols": [protocol.to_dict() for protocol in call("channels.list_protocols").data],
            "table": table.data.to_dict() if table else None,
            "codes": [code.value for code in importlib.import_module("plant_client.models").ErrorCode],
            "wrong": {"type": type(wrong).__name__, "error": getattr(getattr(wrong, "error", None), "value", None)},
        }
    )
)
