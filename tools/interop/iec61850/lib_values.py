"""Values of libiec61850 from and to what the checks compare: see Plant.value_of."""

import pyiec61850.pyiec61850 as lib

SIZED = {
    lib.MMS_INTEGER: "integer",
    lib.MMS_UNSIGNED: "unsigned",
    lib.MMS_FLOAT: "float",
    lib.MMS_BIT_STRING: "bits",
    lib.MMS_VISIBLE_STRING: "text",
    lib.MMS_STRING: "unicode",
    lib.MMS_OCTET_STRING: "octets",
}
PLAIN = {lib.MMS_BOOLEAN: "boolean", lib.MMS_UTC_TIME: "utc", lib.MMS_BINARY_TIME: "binary-time"}
GROUPED = (lib.MMS_STRUCTURE, lib.MMS_ARRAY)


def leaf_type(specification):
    kind = lib.MmsVariableSpecification_getType(specification)
    return PLAIN.get(kind) or f"{SIZED[kind]} {lib.MmsVariableSpecification_getSize(specification)}"


def parts(specification):
    """Name and specification of the members of a structure, or the elements of an array; None for a leaf."""
    kind = lib.MmsVariableSpecification_getType(specification)
    size = lib.MmsVariableSpecification_getSize(specification)
    if kind == lib.MMS_ARRAY:
        return [(f"({at})", lib.MmsVariableSpecification_getArrayElementSpecification(specification)) for at in range(size)]
    if kind != lib.MMS_STRUCTURE:
        return None
    members = [lib.MmsVariableSpecification_getChildSpecificationByIndex(specification, at) for at in range(size)]
    return [(f"${lib.MmsVariableSpecification_getName(member)}", member) for member in members]


def leaves(specification, key):
    """Key and specification of every leaf."""
    below = parts(specification)
    if below is None:
        return [(key, specification)]
    return [leaf for name, part in below for leaf in leaves(part, key + name)]


def flat(value):
    """Values of the leaves of a value, in their order."""
    if lib.MmsValue_getType(value) not in GROUPED:
        return [value_of(value)]
    return [leaf for at in range(lib.MmsValue_getArraySize(value)) for leaf in flat(lib.MmsValue_getElement(value, at))]


def value_of(value):
    """A value; a failure as {"failure": code}."""
    kind = lib.MmsValue_getType(value)
    if kind in GROUPED:
        return [value_of(lib.MmsValue_getElement(value, at)) for at in range(lib.MmsValue_getArraySize(value))]
    if kind == lib.MMS_BOOLEAN:
        return bool(lib.MmsValue_getBoolean(value))
    if kind == lib.MMS_INTEGER:
        return lib.MmsValue_toInt64(value)
    if kind == lib.MMS_UNSIGNED:
        return lib.MmsValue_toUint32(value)
    if kind == lib.MMS_FLOAT:
        return lib.MmsValue_toDouble(value)
    if kind == lib.MMS_BIT_STRING:
        return "".join("1" if lib.MmsValue_getBitStringBit(value, bit) else "0" for bit in range(lib.MmsValue_getBitStringSize(value)))
    if kind in (lib.MMS_VISIBLE_STRING, lib.MMS_STRING):
        return lib.MmsValue_toString(value)
    if kind == lib.MMS_UTC_TIME:
        return f"{lib.MmsValue_getUtcTimeInMs(value)}/{lib.MmsValue_getUtcTimeQuality(value)}"
    if kind == lib.MMS_BINARY_TIME:
        return f"{lib.MmsValue_getBinaryTimeAsUtcMs(value)}"
    if kind == lib.MMS_OCTET_STRING:
        return "".join(f"{lib.MmsValue_getOctetStringOctet(value, at):02x}" for at in range(lib.MmsValue_getOctetStringSize(value)))
    if kind == lib.MMS_DATA_ACCESS_ERROR:
        return {"failure": lib.MmsValue_getDataAccessError(value)}
    raise ValueError(f"no value for type {kind}")


def set_integer(target, value):
    """The library takes a number only by the function of a width that the attribute has as well."""
    for bits in (8, 16, 32, 64):
        if -(1 << (bits - 1)) <= value < 1 << (bits - 1):
            getattr(lib, f"MmsValue_setInt{bits}")(target, value)
            return
    raise ValueError(f"{value} has more than 64 bits")


def set_value(target, value):
    """Gives a value of the library another one of its type."""
    kind = lib.MmsValue_getType(target)
    if kind == lib.MMS_BOOLEAN:
        lib.MmsValue_setBoolean(target, value)
    elif kind == lib.MMS_INTEGER:
        set_integer(target, value)
    elif kind == lib.MMS_UNSIGNED:
        lib.MmsValue_setUint32(target, value)
    elif kind == lib.MMS_FLOAT:
        lib.MmsValue_setFloat(target, float(value))
    elif kind == lib.MMS_BIT_STRING:
        for bit, digit in enumerate(value):
            lib.MmsValue_setBitStringBit(target, bit, digit == "1")
    elif kind == lib.MMS_VISIBLE_STRING:
        lib.MmsValue_setVisibleString(target, value)
    elif kind == lib.MMS_STRING:
        lib.MmsValue_setMmsString(target, value)
    elif kind == lib.MMS_UTC_TIME:
        milliseconds, quality = value.split("/")
        lib.MmsValue_setUtcTimeMsEx(target, int(milliseconds), int(quality))
    else:
        raise ValueError(f"a value of type {kind} cannot be set")
