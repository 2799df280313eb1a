"""Renders the templates of discovery messages as Home Assistant does, with Jinja2: render TEMPLATE PAYLOAD -> text."""

import json
import os
import sys

from jinja2.sandbox import ImmutableSandboxedEnvironment

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "iec61850"))
from lines import serve  # noqa: E402

ENVIRONMENT = ImmutableSandboxedEnvironment()


def handle(name, template, payload):
    if name != "render":
        raise ValueError(f"there is no {name}")
    return ENVIRONMENT.from_string(template).render(value=payload, value_json=json.loads(payload))


serve(handle)
