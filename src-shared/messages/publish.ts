/** What publishing of values says: settings, the way to brokers and to webhooks. */
export const PUBLISH_MESSAGES = {
  'publish.mqtt_url': 'must be mqtt://host:1883 or mqtts://host:8883, without user, password and path',
  'publish.http_url': 'must be an http:// or https:// address without user, password and #',
  'publish.prefix': 'must be topic levels such as plant/bay1: without + and #, with no / at its ends, and no $ at its begin',
  'publish.none': 'There is no publisher {{id}}.',
  'publish.most': 'A project has {{most}} publishers at most; delete one, or set one anew.',
  'publish.unconfirmed': 'Nobody confirmed on this computer that this project may publish to {{url}}; confirm it first.',
  'publish.other_secret': 'is no secret of this kind of publisher; it has `{{name}}`',
  'publish.broker_refused': 'The broker {{url}} refused the connection: {{reason}} (code {{code}}).',
  'publish.broker_credentials': 'The broker {{url}} does not accept user and password ({{reason}}, code {{code}}).',
  'publish.broker_id': 'The broker {{url}} does not accept the client id ({{reason}}, code {{code}}).',
  'publish.no_broker':
    '{{url}} accepts connections and closes them without an answer of MQTT; the port may belong to another service, or wants TLS.',
  'publish.silent': '{{url}} did not answer within {{ms}} ms.',
  'publish.lost': 'The connection to {{url}} was lost.',
  'publish.unreachable': '{{url}} cannot be reached ({{code}}).',
  'publish.refused': '{{url}} refused the connection; nothing listens on this port.',
  'publish.unknown_name': 'The name in {{url}} has no address.',
  'publish.failed': '{{url}}: {{reason}}',
  'publish.not_taken': '{{url}} took no message for {{ms}} ms; the connection was given up.',
  'publish.status': '{{url}} answered with status {{status}}.',
  'publish.redirect': '{{url}} answered with status {{status}}: it names another address, which is not followed; set that one.',
} as const;
