/** What exchanges on a line say, whatever their protocol: answers in doubt, late and doubled ones, noise. */
export const EXCHANGE_MESSAGES = {
  'exchange.ended': 'The connection has ended: {{reason}}',
  'exchange.closed_here': 'The connection was closed.',
  'exchange.closed_device': 'The device closed the connection.',
  'exchange.not_silent':
    'The line does not become silent, so nothing was sent: another master is at work, or a device does not stop sending.',
  'exchange.not_sent': 'Not sent: {{reason}}',
  'exchange.unfinished': 'Unfinished answer, given up.',
  'exchange.echo': 'The adapter of this line echoes what is sent; the echo is recognised and left out.',
  'exchange.silent': 'Device {{device}} did not answer within {{ms}} ms.',
  'exchange.no_answer': 'No answer within {{ms}} ms.',
  'exchange.again': 'Asked again: the answer to the first could have been that to an earlier request.',
  'exchange.echo_test': 'Read to see whether the adapter echoes, before a write that looks like its echo.',
  'exchange.tell_read': 'Read first: an answer that may still come to an earlier request could not be told from the one to the next.',
  'exchange.tell_loopback': 'A loopback (it touches no data): its answer shows that none to an earlier request is still to come.',
  'exchange.one_at_a_time': 'A connection of this protocol carries one exchange at a time.',
  'exchange.left_alone':
    'Not asked: the device is left alone until answers to earlier requests have come, which nothing tells from the next one.',
  'exchange.taken_for_lost':
    'Answers to earlier requests are taken for lost behind a quiet time; one that is later still could not be told from the next.',
  'exchange.in_doubt':
    'An answer came from {{device}} that fits this request as well as an earlier one without an answer; it was not used.',
  'exchange.sent_in_doubt':
    'Sent behind a quiet time: an earlier request is without its answer. One that comes now may be that of either, and then the outcome is not known.',
  'exchange.no_loopback':
    'Device {{device}} does not answer function 8. Where an answer is in doubt, the question is asked again, and a command waits for a quiet time.',
  'exchange.no_teller':
    'Device {{device}} does not answer a request that tells. Where an answer is in doubt, the question is asked again, and a command waits for a quiet time.',
  'exchange.late_unused': 'Answer to a request that had ended without it; not used.',
  'exchange.doubt_before': 'Answer to this request, or the one before once more; the octets do not tell. Not used.',
  'exchange.doubt_earlier': 'Answer to this request or to an earlier one that had ended without it; the octets do not tell. Not used.',
  'exchange.same_again': 'The same answer once more; not used.',
  'exchange.came_twice': 'An answer of {{who}} came twice: an adapter or the device repeats what it sends.',
  'exchange.doubling':
    'Answers come twice on this line: octets that came before are an answer only when more of them come than copies can.',
  'exchange.doubling_over': 'No answer came twice for a while: octets that came before count as an answer again.',
  'exchange.unasked': 'Answer to a request that was not sent here; not used.',
  'exchange.second': 'A second answer to one request; not used. Two devices may have this address.',
  'exchange.second_of':
    'Two answers came to one request to {{who}}: two devices may have this address, or an adapter repeats what it receives.',
  'exchange.not_used': 'Not used.',
  'exchange.bad_check': 'A frame with a wrong checksum or end.',
  'exchange.no_frame': 'Octets that are no frame: no length and checksum fits.',
  'exchange.late_hint': 'An answer to an earlier request came late.',
  'exchange.not_planned': 'The batch was not planned by this connection.',
  'exchange.served_step': 'A served point takes the step "operate" with a value only, not "{{step}}".',
  'exchange.peer_fault': '{{peer}} was disconnected: {{reason}}',
  'exchange.foreign_request': 'A request that is not ours.',
  'exchange.step': 'This protocol has the command step "operate" with a value only, not "{{step}}".',
  'exchange.not_awaited': 'An answer to something that is not awaited.',
  'exchange.the_device': 'the device',
  'exchange.start_value': 'The start value {{value}} of {{point}} is not served: {{reason}}',
  'exchange.served_set': 'The served value was set.',
  'exchange.client_slow': 'A client was disconnected: it asks without reading the answers.',
  'exchange.client_fault': 'A client was disconnected: {{reason}}',
} as const;
