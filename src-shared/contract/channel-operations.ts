import { z } from 'zod';
import { AddChannelBody, Channel, ProtocolDescriptor, SerialPortInfo, UpdateChannelBody } from './channels.ts';
import { Id, Nothing, queryInt } from './common.ts';
import { operation } from './operation.ts';

const channelId = z.object({ channel_id: Id });

export const channelOperations = {
  listChannels: operation({
    method: 'GET',
    path: '/api/channel/list',
    summary: 'List all channels with status and health',
    description:
      'Everything that is set, and everything that is known now: state with its last error, figures of the line. From memory; secrets are never among it.',
    tag: 'channels',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    data: z.array(Channel),
  }),
  addChannel: operation({
    method: 'POST',
    path: '/api/channel/add',
    summary: 'Add a channel; it is stopped',
    description:
      'Nothing is opened: start it with `POST /api/device/start`. What is left out has the usual value of the protocol. 409: another channel has this name. 422 names each field that does not fit the protocol and the side.',
    tag: 'channels',
    effect: 'repeatable',
    query: Nothing,
    body: AddChannelBody,
    data: Channel,
    errors: [409, 507],
  }),
  updateChannel: operation({
    method: 'PUT',
    path: '/api/channel/update',
    summary: 'Change settings of a channel',
    description:
      'Connection settings of a started channel rebuild it: its tasks stop, the line is closed and opened, and the automatic task starts again ' +
      'with the same configuration and a new task_id. Name, note and group do not. A `protocol` object replaces the stored one as a whole.',
    tag: 'channels',
    effect: 'repeatable',
    line: true,
    query: Nothing,
    body: UpdateChannelBody,
    data: Channel,
    errors: [404, 409, 502, 503, 504, 507],
  }),
  deleteChannel: operation({
    method: 'DELETE',
    path: '/api/channel/delete',
    summary: 'Stop and remove a channel with its points; answers with what was removed',
    description:
      'Its tasks end, its connection is closed, its secrets and recorded values go with it. What was written stays in the audit, results stay in the checks. It cannot be taken back.',
    tag: 'channels',
    effect: 'repeatable',
    line: true,
    query: z.object({ channel_id: queryInt(1, Number.MAX_SAFE_INTEGER) }),
    body: Nothing,
    data: Channel,
    errors: [404, 507],
  }),
  confirmChannel: operation({
    method: 'POST',
    path: '/api/channel/confirm',
    summary: 'Take settings and points of a channel as right, after its checksum did not fit',
    description:
      'A channel whose rows are not those that were stored is named in `warnings` of GET /api/service/info and does not start. Look at its settings and ' +
      'points first, and correct them; this makes the checksum anew. 422 lists what cannot be right. For a channel that is sound it changes nothing.',
    tag: 'channels',
    effect: 'repeatable',
    query: Nothing,
    body: channelId,
    data: Channel,
    errors: [404, 507],
  }),
  listSerialPorts: operation({
    method: 'GET',
    path: '/api/channel/serial_ports',
    summary: 'Serial ports of this computer, and which channel uses them',
    description:
      'Asked of the operating system at each call. A port that another program holds is listed all the same: only opening it tells. 503: the system does not list its ports.',
    tag: 'channels',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    data: z.array(SerialPortInfo),
    errors: [503],
  }),
  listProtocols: operation({
    method: 'GET',
    path: '/api/channel/protocols',
    summary: 'Protocols built into this version with their settings',
    description:
      'For forms and scripts: which settings, point fields, operations and decodings each protocol has, with their bounds and usual values. It changes only with the version of the program.',
    tag: 'channels',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    data: z.array(ProtocolDescriptor),
  }),
  startDevice: operation({
    method: 'POST',
    path: '/api/device/start',
    summary: 'Open the channel; answers when the connection stands or the listener listens',
    description:
      'Starting a running channel is no error. A refused start leaves status `error` with the reason in last_error; nothing is retried.',
    tag: 'channels',
    effect: 'repeatable',
    role: 'operate',
    line: true,
    query: Nothing,
    body: channelId,
    data: Channel,
    errors: [404, 409, 502, 503, 504],
  }),
  stopDevice: operation({
    method: 'POST',
    path: '/api/device/stop',
    summary: 'Stop the tasks of the channel, then close it',
    description: 'Values stay as they were and are stale from then on. A channel that is stopped already is answered as it is.',
    tag: 'channels',
    effect: 'repeatable',
    role: 'operate',
    line: true,
    query: Nothing,
    body: channelId,
    data: Channel,
    errors: [404],
  }),
  reloadDevice: operation({
    method: 'POST',
    path: '/api/device/reload',
    summary: 'Close and open the channel anew; a running automatic task is started again',
    description:
      'For a device that was restarted or a line that is stuck. Answers when the channel is connected again, or with the reason why it is not; the channel then goes on trying where it reconnects by itself.',
    tag: 'channels',
    effect: 'repeatable',
    role: 'operate',
    line: true,
    query: Nothing,
    body: channelId,
    data: Channel,
    errors: [404, 409, 502, 503, 504],
  }),
} as const;
