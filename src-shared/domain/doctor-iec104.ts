/** What the connection doctor says of the layers of IEC 104: start of data transfer, sizes of the fields, common address. */
import type { SentenceTemplate } from './sentence.ts';

export const IEC104_DOCTOR_MESSAGES = {
  STARTDT_CONFIRMED: { text: 'The station confirmed the start of data transfer after {{ms}} ms.' },
  STARTDT_STANDS: { text: 'The channel is running; data transfer is started.' },
  STARTDT_SILENT: {
    text: 'The station took the connection and did not confirm STARTDT within {{ms}} ms.',
    next: 'Another master may hold the station, or its list of masters lacks this computer. Otherwise the port belongs to another service.',
  },
  STARTDT_CLOSED: {
    text: 'The station ended the connection instead of confirming STARTDT.',
    next: 'Enter the address of this computer in the list of masters of the station; end the other master where it takes one only.',
  },
  STARTDT_FOREIGN: {
    text: 'What came back is no IEC 104: {{octets}}.',
    next: 'Check the port number (2404) and the protocol of the channel; this port belongs to another service of the device.',
  },
  STARTDT_TLS: { text: 'The station speaks TLS on this port.', next: 'Switch tls on, or use the port without encryption (2404).' },
  WINDOW_WIDE: {
    text: 'w is {{w}} at k {{k}}: a station with the same k stops sending before it is acknowledged.',
    next: 'Set w to {{most}} or less, two thirds of the k of the station.',
  },
  SIZES_GOOD: { text: 'The sizes {{sizes}} (cause, common address, object address) fit {{count}} messages of the station.' },
  SIZES_OTHER: {
    text: 'The station speaks with the sizes {{found}} (cause, common address, object address); the channel has {{sizes}}.',
    next: 'Set cause_size, common_address_size and object_address_size of the channel to {{found}}.',
  },
  SIZES_UNREADABLE: {
    text: '{{count}} messages of the station fit no sizes; the channel has {{sizes}}.',
    next: 'Look at the explanation of the frames: the station may send types of its maker, or messages with a wrong length.',
  },
  SIZES_UNPROVED: {
    text: 'Nothing came by which the sizes {{sizes}} (cause, common address, object address) can be judged.',
    next: 'Compare them with the interoperability list of the station; then check its common addresses.',
  },
  STATION_GOOD: { text: 'The common addresses {{addresses}} are answered for.' },
  STATION_SEEN: { text: 'The station answers for the common addresses {{found}}; the point table has none yet.' },
  STATION_NOT_ASKED: {
    text: 'The point table has no common address, and none answered.',
    next: 'Name common addresses to ask, or add a point with that of the station.',
  },
  STATION_PART: {
    text: 'The common addresses {{addresses}} are answered for, {{missing}} are not.',
    next: 'Check the common address (slave_id) of the points of {{missing}} against the list of the station.',
  },
  STATION_OTHER: {
    text: 'The station does not know the common addresses {{addresses}}; it answers for {{found}}.',
    next: 'Set the common address (slave_id) of the points to {{found}}.',
  },
  STATION_UNKNOWN: {
    text: 'The station does not know the common addresses {{addresses}}: {{detail}}.',
    next: 'Ask for its common address, or find it in its interoperability list; 1 is the usual one.',
  },
  STATION_SILENT: {
    text: 'The station did not answer an interrogation of the common addresses {{addresses}} within {{ms}} ms each.',
    next: 'Stations are silent to a wrong common address. Check it (slave_id); then raise timeout_ms for a slow station.',
  },
} as const satisfies Record<string, SentenceTemplate>;
