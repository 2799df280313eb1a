/** What publishing of values says: settings, the way to brokers and to webhooks. */
export const PUBLISH_MESSAGES = {
  'publish.mqtt_url': 'must be mqtt://host:1883 or mqtts://host:8883, without user, password and path',
  'publish.http_url': 'must be an http:// or https:// address without user, password and #',
  'publish.prefix': 'must be topic levels such as plant/bay1: without + and #, with no / at its ends, and no $ at its begin',
  'publish.sparkplug_name': 'must be a name without +, # and /; a group is not named STATE',
  'publish.host_waiting': 'Connected to {{url}}; nothing is sent before the host application {{host}} is online.',
  'publish.host_offline': 'The host application {{host}} went offline; publishing goes on when it is online again.',
  'publish.none': 'There is no publisher {{id}}.',
  'publish.name_taken': 'There is a publisher {{name}} already; take another name.',
  'publish.same_topics': 'The publisher {{name}} sends to the same topics ({{prefix}}) of this broker; give one of them another prefix.',
  'publish.most': 'A project has {{most}} publishers at most; delete one, or set one anew.',
  'publish.unconfirmed': 'Nobody confirmed on this computer that this project may publish to {{url}}; confirm it first.',
  'publish.other_secret': 'is no secret of this kind of publisher; it has `{{name}}`',
  'publish.broker_refused': 'The broker {{url}} refused the connection: {{reason}} (code {{code}}).',
  'publish.broker_credentials': 'The broker {{url}} does not accept user and password ({{reason}}, code {{code}}).',
  'publish.broker_id': 'The broker {{url}} does not accept the client id ({{reason}}, code {{code}}).',
  'publish.subscription': 'The broker {{url}} refuses the subscription to {{filter}}; give its user the right to read there.',
  'publish.no_broker':
    '{{url}} accepts connections and closes them without an answer of MQTT; the port may belong to another service, or wants TLS.',
  'publish.silent': '{{url}} did not answer within {{ms}} ms.',
  'publish.lost': 'The connection to {{url}} was lost.',
  'publish.authority':
    'must be certificates in PEM form, each from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----, and nothing else',
  'publish.authority_unreadable': 'holds a certificate that cannot be read; take the PEM file of the authority as it is',
  'publish.authority_plain': 'is for encrypted connections only ({{schemes}}); leave it out, or take such an address',
  'publish.certificate_untrusted':
    'The certificate of {{url}} is signed by none of the authorities that are trusted for it ({{code}}): those given to the publisher, or those of the system where none is given.',
  'publish.certificate_name':
    'The certificate of {{url}} is made out to another name ({{names}}); take the name that stands in it as the address.',
  'publish.certificate_time': 'The certificate of {{url}} does not hold now ({{code}}); renew it, or set the clock of this computer.',
  'publish.unreachable': '{{url}} cannot be reached ({{code}}).',
  'publish.refused': '{{url}} refused the connection; nothing listens on this port.',
  'publish.unknown_name': 'The name in {{url}} has no address.',
  'publish.failed': '{{url}}: {{reason}}',
  'publish.not_taken': '{{url}} took no message for {{ms}} ms; the connection was given up.',
  'publish.status': '{{url}} answered with status {{status}}.',
  'publish.redirect': '{{url}} answered with status {{status}}: it names another address, which is not followed; set that one.',
} as const;
