"""Associations of pyiec61850-ng (libiec61850) as a client."""

import pyiec61850.pyiec61850 as lib

MOST_TRIES = 20


def good(answered):
    """The result of a call of the library; raises its error."""
    *result, error = answered if isinstance(answered, (tuple, list)) else (None, answered)
    if error != lib.IED_ERROR_OK:
        raise ValueError(f"{lib.IedClientError_toString(error)} ({error})")
    return result[0] if len(result) == 1 else result


def associated(port, octets=65000, password=""):
    """A connection that stands."""
    for _ in range(MOST_TRIES):
        connection = lib.IedConnection_create()
        mms = lib.IedConnection_getMmsConnection(connection)
        lib.MmsConnection_setLocalDetail(mms, octets)
        if password:
            authenticate(mms, password)
        good(lib.IedConnection_connect(connection, "127.0.0.1", port))
        # one in ten associations that stand is taken for a lost one by the library itself, from its beginning
        directory, error = lib.IedConnection_getServerDirectory(connection, False)
        if error == lib.IED_ERROR_OK:
            lib.LinkedList_destroy(directory)
            return connection
        lib.IedConnection_close(connection)
        lib.IedConnection_destroy(connection)
    raise ValueError("the library loses each association at its beginning")


def authenticate(mms, password):
    authentication = lib.AcseAuthenticationParameter_create()
    lib.AcseAuthenticationParameter_setAuthMechanism(authentication, lib.ACSE_AUTH_PASSWORD)
    lib.AcseAuthenticationParameter_setPassword(authentication, password)
    parameters = lib.MmsConnection_getIsoConnectionParameters(mms)
    lib.IsoConnectionParameters_setAcseAuthenticationParameter(parameters, authentication)
