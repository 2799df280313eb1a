import type { ErrorCode } from '#shared/domain/errors.ts';

interface ErrorText {
  /** What happened, in a few words. */
  readonly title: string;
  /** The likely cause. */
  readonly cause: string;
  /** The next step. */
  readonly next: string;
}

const codes = {
  TRANSPORT_REFUSED: {
    title: 'Connection refused',
    cause: 'The address answers, but nothing listens on this port, or the device allows no further connection.',
    next: 'Check the port number, that the service of the device is on, and whether another master holds its only connection.',
  },
  TRANSPORT_UNREACHABLE: {
    title: 'Device not reachable',
    cause: 'No route to the address: wrong address or subnet, cable or switch, or the device is off.',
    next: 'Check the address and the network settings of this computer, then try to ping the device.',
  },
  TRANSPORT_LOST: {
    title: 'Connection lost',
    cause: 'The device or the network ended the connection.',
    next: 'The channel connects again by itself when that is switched on. If it happens often, look at the events and frames around it.',
  },
  TRANSPORT_NOT_CONNECTED: {
    title: 'Not connected',
    cause: 'There is no connection to the device, or to the service, at this moment.',
    next: 'Start the channel, or wait until it has connected again.',
  },
  TRANSPORT_PORT_TAKEN: {
    title: 'Port in use',
    cause: 'Another program or another channel holds this TCP or serial port.',
    next: 'Stop the other program or channel, or choose another port.',
  },
  TRANSPORT_PORT_MISSING: {
    title: 'Serial port not found',
    cause: 'The serial port does not exist: the adapter is not plugged in, or it got another number.',
    next: 'Plug the adapter in, refresh the port list and choose the port again.',
  },
  TRANSPORT_PERMISSION: {
    title: 'No permission for the port',
    cause: 'The operating system does not let this program use the port.',
    next: 'Use a port above 1023, or give the user the right to use it (for serial ports on Linux: group dialout).',
  },
  FRAME_NOISE: {
    title: 'Octets that are no frame',
    cause: 'Wrong baud rate or parity, swapped or disturbed lines, or another protocol on this port.',
    next: 'Compare the serial settings and the protocol with the device; look at the frame log.',
  },
  FRAME_CHECKSUM: {
    title: 'Checksum wrong',
    cause: 'A frame was damaged on its way: disturbance, missing termination, two stations talking at once.',
    next: 'Check shielding, termination and that every station address is used once.',
  },
  FRAME_LENGTH: {
    title: 'Frame length wrong',
    cause: 'A frame announces a length that does not fit its content.',
    next: 'Look at the frame log: another protocol on this port, or a fault of the device.',
  },
  PROTOCOL_MISMATCH: {
    title: 'Answer does not fit the request',
    cause: 'The device answered for another slave, function or transaction than the one asked.',
    next: 'Check the device address and gateways in between; look at the frame log.',
  },
  PROTOCOL_MALFORMED: {
    title: 'Answer breaks the protocol',
    cause: 'The frame is complete, but its content does not follow the protocol.',
    next: 'Look at the explanation of the frame; tell the maker of the device.',
  },
  PROTOCOL_REFUSED: {
    title: 'Session refused',
    cause: 'The device did not accept the start of the protocol session.',
    next: 'Check the protocol settings of the channel and whether another master is connected.',
  },
  DEVICE_EXCEPTION: {
    title: 'Device answered with an exception',
    cause: 'The device understood the request and refused it, for example because the address does not exist.',
    next: 'Compare address, function code and device address with the point list of the device.',
  },
  DEVICE_REJECTED: {
    title: 'Command rejected by the device',
    cause: 'The device refuses the command in its present state: local operation, interlock, or a value it does not take.',
    next: 'Check the local/remote switch and the conditions for the command on the device.',
  },
  TIMEOUT_RESPONSE: {
    title: 'No answer in time',
    cause: 'The device did not answer: wrong device address, wrong serial settings, device busy or off.',
    next: 'Check the device address first, then the line; raise the timeout when the device is slow.',
  },
  TIMEOUT_CONNECT: {
    title: 'No connection in time',
    cause: 'The address does not answer at all: wrong address, a firewall in between, or the device is off.',
    next: 'Check the address and ping the device; ask for the firewall rules of the site.',
  },
  TIMEOUT_SUSPENDED: {
    title: 'Device is suspended',
    cause: 'This device was silent three times in a row. Automatic tasks leave it out and try it from time to time.',
    next: 'Check this device. A single read asks it at once; the first answer lifts the suspension.',
  },
  STATE_CONFLICT: {
    title: 'Conflict with the present state',
    cause: 'Something else is under way, or the name is taken.',
    next: 'Wait for the other operation or stop it, or choose another name, then try again.',
  },
  STATE_NOT_STARTED: {
    title: 'Channel is not started',
    cause: 'This operation needs a started channel.',
    next: 'Start the channel first.',
  },
  STATE_READ_ONLY: {
    title: 'Read-only',
    cause: 'The service or this channel refuses writes.',
    next: 'Switch read-only off where it is set, if writing is really wanted here.',
  },
  STATE_STORE: {
    title: 'Project file cannot be used',
    cause: 'The file is in use by another program, from a newer version, damaged, or no project file.',
    next: 'Read the message below; choose another file or restore a backup.',
  },
  STATE_STORE_LOST: {
    title: 'Project file is gone',
    cause: 'The open project file was deleted, renamed, moved, replaced or truncated. Nothing was changed.',
    next: 'Put the file back under its name, or save a copy on the page Project and open that.',
  },
  STATE_STORE_FULL: {
    title: 'Disk is full',
    cause: 'There is no space left for the project file. Nothing was changed, and no command was sent.',
    next: 'Free some space on the disk of the project file; work goes on by itself then.',
  },
  STATE_DAMAGED: {
    title: 'Channel is not as it was stored',
    cause:
      'The settings or points of this channel differ from their checksum: the project file was damaged, or changed by another program.',
    next: 'Compare the channel and its points with your records or a backup, correct them, then confirm them.',
  },
  STATE_BUSY: {
    title: 'Too many uploads',
    cause: 'One file is worked on and four are waiting already.',
    next: 'Send the file again in a few seconds.',
  },
  CONFIG_INVALID: {
    title: 'Input not valid',
    cause: 'At least one field has a value that cannot be used.',
    next: 'Correct the marked fields.',
  },
  CONFIG_RANGE: {
    title: 'Value out of range',
    cause: 'The value does not fit what the registers of this point can hold, after scaling.',
    next: 'Enter a value inside the range, or correct decode and scaling of the point.',
  },
  CONFIG_NOT_FOUND: {
    title: 'Not found',
    cause: 'The channel, point or file does not exist, or was deleted meanwhile.',
    next: 'Refresh the view and choose again.',
  },
  CONFIG_NOT_JSON: {
    title: 'Request is not JSON',
    cause: 'The body of the request could not be read.',
    next: 'Send a JSON body as the API documentation shows it.',
  },
  CONFIG_MEDIA_TYPE: {
    title: 'Wrong content type',
    cause: 'The request came with a content type this operation does not take.',
    next: 'Send application/json, or multipart/form-data for a file.',
  },
  CONFIG_TOO_LARGE: {
    title: 'Request too large',
    cause: 'The request is larger than the service takes at once.',
    next: 'Split it into smaller parts.',
  },
  ACCESS_TOKEN: {
    title: 'Access token missing or wrong',
    cause: 'The service was started with an access token.',
    next: 'Enter the token. Whoever started the service knows it.',
  },
  ACCESS_ORIGIN: {
    title: 'Origin refused',
    cause: 'The request came under a host name or from a page that is not this service’s own.',
    next: 'Open the pages under the address the service printed at its start.',
  },
  ACCESS_ROLE: {
    title: 'Not allowed for this access',
    cause: 'The token you use was made for looking, or for operating, and this is more.',
    next: 'Ask somebody who may configure, or use a token with another role.',
  },
  CANCELLED: {
    title: 'Cancelled',
    cause: 'The operation was ended on request.',
    next: 'Start it again when it is needed.',
  },
  INTERNAL: {
    title: 'Internal fault',
    cause: 'The service met a situation it does not know.',
    next: 'Try again. If it stays, keep the log file from the data folder and report it.',
  },
} as const satisfies Record<ErrorCode, ErrorText>;

export const errors = {
  cause: 'Likely cause',
  next: 'Next step',
  detail: 'Message',
  code: 'Code {{code}}',
  codes,
} as const;
