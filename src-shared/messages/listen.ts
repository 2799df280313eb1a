/** What a channel says that only listens. */
export const LISTEN_MESSAGES = {
  'listen.only':
    'The channel "{{channel}}" only listens: nothing is sent on its line, so nothing can be read, written or examined there by a request. Its values are those that the other master reads. To send, disconnect the other master and turn off "listen_only" in the settings of the channel.',
  'listen.mute': 'Nothing is sent on this line: its channel only listens.',
  'listen.port':
    'The channel "{{channel}}" only listens at {{port}}, beside another master: a search would send there. Disconnect the other master and turn off "listen_only" of that channel, or take another port.',
  'listen.no_server': 'a channel that serves has to answer, so it cannot only listen; off would be right, or a connection type of a master',
  'listen.not_heard': 'Not heard for {{seconds}} s: the other master does not read it any more, or it is not answered.',
  'listen.not_asked': 'This channel only listens: the value comes when the other master reads it.',
  'listen.request': 'Overheard: a request of another master to slave {{unit}}, {{function}}.',
  'listen.repeat': 'Overheard: the same request again; slave {{unit}} did not answer, or its answer was lost.',
  'listen.answer': 'Overheard: the answer to another master.',
  'listen.write': 'Overheard: a command of another master to slave {{unit}}, {{function}}, address {{address}}: {{value}}.',
  'listen.write_answer': 'Overheard: the confirmation of a command of another master.',
  'listen.stray': 'Overheard: an answer of slave {{unit}} whose request was not heard; no value was taken from it.',
  'listen.second': 'Overheard: a second answer of slave {{unit}} to one request; two devices may have the same address.',
  'listen.unclear': 'Overheard: octets that can be read as a request or as an answer; no value was taken from them.',
  'listen.doubt':
    'Answers from which no value was taken so far: {{unasked}} without a request, {{twoWays}} that can be read two ways, {{late}} that may be late ones to another request, {{noise}} behind lost octets.',
  'listen.two_devices': 'Slave {{unit}} answered one request twice: two devices may have the same address.',
  'listen.meter_request': 'Overheard: a request of another master to meter {{meter}}, {{function}}.',
  'listen.meter_command': 'Overheard: a command of another master to meter {{meter}}, {{function}}.',
  'listen.meter_stray': 'Overheard: an answer of meter {{meter}} whose request was not heard; no value was taken from it.',
} as const;
