/** Capture files that are read: what was wrong with one, and what would be right. */
export const CAPTURE_MESSAGES = {
  'capture.no_capture':
    'This is no capture: it begins with {{found}}. A pcapng file begins with 0A 0D 0D 0A, a pcap file with A1 B2 C3 D4 or A1 B2 3C 4D in either order.',
  'capture.empty': 'The file is empty; a capture has at least its header.',
  'capture.cut':
    'The file ends in the middle: from octet {{at}} on {{needed}} octets are announced, and {{found}} are there. Copy or save the capture once more.',
  'capture.length':
    'The length {{length}} at octet {{at}} cannot be: {{least}} to {{most}} is possible. The file is damaged, or no capture.',
  'capture.trailer':
    'The block at octet {{at}} gives its length as {{front}} in front and {{behind}} behind; both have to be the same. The file is damaged.',
  'capture.order':
    'The section at octet {{at}} tells no order of its octets: {{found}} instead of 1A 2B 3C 4D in either order. The file is damaged.',
  'capture.interface': 'The packet at octet {{at}} belongs to interface {{link}}, and the section has {{count}}. The file is damaged.',
  'capture.no_conversation': 'there are {{count}} conversations in the file, counted from 0',
  'capture.no_reads':
    'has nothing in this conversation that can be served again: answered reads of Modbus (TCP, RTU, ASCII), DL/T 645 or IEC 61850, reports of IEC 61850, or values of IEC 104. Look at the other conversations.',
  'capture.many_places': 'has values of more than {{most}} addresses, which are the most',
  'capture.no_protocol':
    'is of a protocol that cannot be served again: Modbus (TCP, RTU, ASCII), IEC 104, DL/T 645 and IEC 61850 can, lines of other names cannot',
  'capture.mms_unnamed':
    'has values that the capture does not name: {{sets}} answers and reports of data sets whose members it does not tell, {{structures}} structures whose members it does not tell. A client asks for both when it learns the model; let the capture begin there',
  'capture.other_protocol':
    '{{channel}} serves {{serves}}, and this conversation is {{protocol}}; take it into a channel that serves {{protocol}}',
  'capture.no_frames': 'The frame log of this channel has no frames, so there is nothing to keep.',
  'capture.none_passes': 'No frame of this channel passes the filter, so there is nothing to keep.',
  'capture.oldest_go': 'At most {{most}} captures and {{mib}} MiB are kept; for one more, {{names}} would have to go.',
  'capture.too_large':
    'The capture would be larger than {{mib}} MiB, which all captures of a project may have together; narrow it by a filter.',
  'capture.none_kept': 'There is no capture {{name}}; it may have been removed.',
  'capture.interfaces': 'A section of the capture has more than {{most}} interfaces.',
} as const;
