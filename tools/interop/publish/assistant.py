"""Home Assistant with its mqtt integration alone, on a broker of 127.0.0.1, in a folder of its own.

begin PORT          starts it, in the background: answers null
state               -> {"isRunning": …, "entities": [{"entity": …, "name": …, "device": …, "state": …, "unit": …, "deviceClass": …, "stateClass": …}],
                    "errors": what mqtt and its sensors logged as a warning or worse}
"""

import asyncio
import logging
import os
import socket
import sys
import tempfile

from homeassistant import auth, bootstrap, config_entries, core, loader
from homeassistant.helpers import device_registry, entity_registry
from homeassistant.setup import async_setup_component

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "iec61850"))
from lines import serve  # noqa: E402

FOLDER = tempfile.TemporaryDirectory(prefix="loopcheck-assistant-")
ERRORS = []
RUNNING = {}


class Kept(logging.Handler):
    def emit(self, record):
        if record.name == "homeassistant.setup" and RUNNING.get("hass"):
            return
        reason = f": {record.exc_info[1]!r}" if record.exc_info else ""
        ERRORS.append(f"{record.levelname} {record.name}: {record.getMessage()}{reason}")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


async def begin(port):
    open(os.path.join(FOLDER.name, "configuration.yaml"), "w").close()
    hass = core.HomeAssistant(FOLDER.name)
    hass.config.skip_pip = True
    loader.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    await bootstrap.async_load_base_functionality(hass)
    hass.auth = await auth.auth_manager_from_config(hass, [], [])
    for domain, config in (("homeassistant", {}), ("http", {"server_host": ["127.0.0.1"], "server_port": free_port()})):
        if not await async_setup_component(hass, domain, {domain: config}):
            raise RuntimeError(f"{domain} is not set up: {ERRORS}")
    entry = config_entries.ConfigEntry(
        version=1,
        minor_version=1,
        domain="mqtt",
        title="broker",
        data={"broker": "127.0.0.1", "port": port, "discovery": True, "discovery_prefix": "homeassistant"},
        source=config_entries.SOURCE_USER,
    )
    await hass.config_entries.async_add(entry)
    await hass.async_start()
    if entry.state is not config_entries.ConfigEntryState.LOADED:
        raise RuntimeError(f"mqtt is {entry.state}: {ERRORS}")
    RUNNING["hass"] = hass


def shown(hass, entity):
    state = hass.states.get(entity.entity_id)
    device = device_registry.async_get(hass).async_get(entity.device_id)
    attributes = state.attributes if state else {}
    return {
        "entity": entity.entity_id.split(".")[0],
        "name": entity.original_name,
        "device": device.name if device else None,
        "state": state.state if state else None,
        "unit": attributes.get("unit_of_measurement"),
        "deviceClass": attributes.get("device_class"),
        "stateClass": attributes.get("state_class"),
    }


def handle(name, *words):
    if name == "begin":
        RUNNING["task"] = asyncio.create_task(begin(*words))
        return None
    if name != "state":
        raise ValueError(f"there is no {name}")
    task = RUNNING["task"]
    if task.done() and task.exception():
        raise task.exception()
    hass = RUNNING.get("hass")
    entities = [each for each in entity_registry.async_get(hass).entities.values() if each.platform == "mqtt"] if hass else []
    return {"isRunning": hass is not None, "entities": [shown(hass, each) for each in entities], "errors": ERRORS}


logging.getLogger().addHandler(Kept(level=logging.WARNING))
serve(handle)
