"""A host application of Sparkplug B: paho carries the messages, pysparkplug and its protobuf read them, and this file keeps the state and the rules.

Commands: connect PORT; state -> {online, bdSeq, births, deaths, devices, faults}; rebirth GROUP NODE; command GROUP NODE NAME VALUE; host ID ONLINE TIMESTAMP.
A device is {online, births, metrics: {name: {value, quality, type, unit, description, history}}}.
"""

import os
import sys
import threading

import paho.mqtt.client as mqtt
import pysparkplug as spb
from pysparkplug import _protobuf as pb

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "iec61850"))
from lines import serve  # noqa: E402

LOCK = threading.Lock()
QUALITIES = {0, 192, 500}


class Host:
    def __init__(self):
        self.client = None
        self.faults = []
        self.online = False
        self.bd_seq = None
        self.seq = None
        self.births = 0
        self.deaths = 0
        self.devices = {}
        self.read = {}

    def fault(self, text):
        self.faults.append(text)

    def on_message(self, _client, _data, message):
        with LOCK:
            try:
                self.take(message)
            except Exception as error:  # what the library does not read is a fault of the sender
                self.fault(f"{message.topic}: {type(error).__name__}: {error}")

    def take(self, message):
        parts = message.topic.split("/")
        if parts[1] == "STATE" or parts[2] in ("NCMD", "DCMD"):
            return
        kind, device = parts[2], parts[4] if len(parts) > 4 else None
        if message.retain:
            self.fault(f"{kind} is retained")
        payload = pb.Payload.FromString(message.payload)
        if kind == "NDEATH":
            return self.node_death(message, payload)
        if not payload.HasField("timestamp") or not payload.HasField("seq"):
            self.fault(f"{kind} has no timestamp or no seq")
        if kind == "NBIRTH":
            return self.node_birth(message, payload)
        if not self.online:
            return
        if payload.seq != (self.seq + 1) % 256:
            self.fault(f"{kind}: seq {payload.seq} behind {self.seq}")
        self.seq = payload.seq
        if kind == "DBIRTH":
            self.device_birth(device, message, payload)
        elif kind == "DDEATH":
            spb.DDeath.decode(message.payload)
            self.devices[device]["online"] = False
        elif kind == "DDATA":
            self.device_data(device, message, payload)
        else:
            self.fault(f"{kind} was not expected")

    def node_birth(self, message, payload):
        birth = spb.NBirth.decode(message.payload)
        named = {metric.name: metric for metric in birth.metrics}
        if payload.seq != 0:
            self.fault(f"NBIRTH has seq {payload.seq}")
        if named["bdSeq"].datatype != spb.DataType.INT64:
            self.fault("bdSeq is no INT64")
        rebirth = named["Node Control/Rebirth"]
        if rebirth.value is not False or rebirth.datatype != spb.DataType.BOOLEAN or rebirth.alias is not None:
            self.fault(f"the metric of rebirths is {rebirth}")
        self.online, self.seq, self.bd_seq = True, 0, named["bdSeq"].value
        self.births += 1
        for device in self.devices.values():
            device["online"] = False

    def node_death(self, message, payload):
        death = spb.NDeath.decode(message.payload)
        if payload.HasField("seq") or len(payload.metrics) != 1:
            self.fault("NDEATH has more than bdSeq")
        # the death of a connection before says nothing of this one
        if death.bd_seq_metric.value == self.bd_seq:
            self.online = False
        self.deaths += 1

    def device_birth(self, name, message, payload):
        birth = spb.DBirth.decode(message.payload)
        aliases = [metric.alias for metric in payload.metrics]
        if len(set(aliases)) != len(aliases):
            self.fault(f"DBIRTH of {name} has an alias twice")
        before = self.devices.get(name, {"births": 0})
        device = {"online": True, "births": before["births"] + 1, "metrics": {}, "birth": birth, "names": {}}
        for raw, metric in zip(payload.metrics, birth.metrics):
            if not raw.HasField("timestamp"):
                self.fault(f"{metric.name} has no timestamp")
            device["names"][raw.alias] = metric.name
            properties = properties_of(raw)
            device["metrics"][metric.name] = {
                "value": metric.value,
                "quality": properties.get("Quality", 192),
                "type": metric.datatype.name,
                "unit": properties.get("engUnit", ""),
                "description": raw.metadata.description,
                "history": [],
            }
        self.devices[name] = device

    def device_data(self, name, message, payload):
        device = self.devices.get(name)
        if device is None or not device["online"]:
            return self.fault(f"DDATA of {name}, which is not there")
        data = spb.DData.decode(message.payload, birth=device["birth"])
        for raw, metric in zip(payload.metrics, data.metrics):
            if raw.HasField("name") or raw.HasField("datatype") or not raw.HasField("timestamp"):
                self.fault("a metric of DDATA has a name or a datatype, or no timestamp")
            known = device["metrics"][device["names"][raw.alias]]
            if raw.is_historical:
                known["history"].append(metric.value)
                continue
            known["value"] = metric.value
            quality = properties_of(raw).get("Quality")
            if quality is not None:
                known["quality"] = quality
            if known["quality"] not in QUALITIES:
                self.fault(f"quality {known['quality']}")

    def state(self):
        with LOCK:
            devices = {
                name: {key: device[key] for key in ("online", "births", "metrics")} for name, device in self.devices.items()
            }
            return {
                "online": self.online,
                "bdSeq": self.bd_seq,
                "births": self.births,
                "deaths": self.deaths,
                "devices": devices,
                "faults": self.faults,
            }


def properties_of(metric):
    keys, values = metric.properties.keys, metric.properties.values
    if len(keys) != len(values):
        raise ValueError("a property set has not as many values as keys")
    return {key: getattr(value, value.WhichOneof("value")) for key, value in zip(keys, values)}


HOST = Host()


def connect(port):
    client = mqtt.Client(clean_session=True)
    ready = threading.Event()
    client.on_connect = lambda *_: client.subscribe("spBv1.0/#", 0)
    client.on_subscribe = lambda *_: ready.set()
    client.on_message = HOST.on_message
    client.connect("127.0.0.1", port)
    client.loop_start()
    HOST.client = client
    if not ready.wait(5):
        raise TimeoutError("the broker took no subscription")


def publish(topic, payload, qos=0, retain=False):
    HOST.client.publish(topic, payload, qos, retain).wait_for_publish()


def command(group, node, name, value):
    metric = spb.Metric(timestamp=1, name=name, datatype=spb.DataType.BOOLEAN, value=value)
    payload = spb.NCmd(timestamp=1, metrics=(metric,)).encode(include_dtypes=True)
    publish(f"spBv1.0/{group}/NCMD/{node}", payload)


def handle(name, *given):
    if name == "connect":
        return connect(*given)
    if name == "state":
        return HOST.state()
    if name == "rebirth":
        return command(*given, "Node Control/Rebirth", True)
    if name == "command":
        return command(*given)
    if name == "host":
        host, online, timestamp = given
        return publish(f"spBv1.0/STATE/{host}", spb.State(timestamp=timestamp, online=online).encode(), 1, True)
    raise ValueError(f"there is no {name}")


serve(handle)
