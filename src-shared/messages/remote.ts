/** What is said of other services that this one shows. */
export const REMOTE_MESSAGES = {
  'remote.address': 'must be an address like https://10.0.0.7:8991 or http://10.0.0.7:8991, without a path, a user or a password',
  'remote.fingerprint': 'must be a SHA-256 fingerprint of 64 hexadecimal digits, as the other service prints it at its start',
  'remote.fingerprint_http': 'belongs to https; over http there is no certificate to compare',
  'remote.open_token': 'The token goes unencrypted over the network to {{address}}; start that service with --tls and add it as https.',
  'remote.none': 'There is no other service with the number {{id}}.',
  'remote.name_taken': 'There is a service {{name}} already; take another name, or remove that one first.',
  'remote.address_taken': '{{address}} is there already as {{name}}.',
  'remote.full': '{{most}} other services are there, which is the most there may be; remove one first.',
  'remote.itself': '{{address}} is this service itself.',
  'remote.not_loopcheck': 'At {{address}} something else than a Loopcheck answers.',
  'remote.token_missing': '{{name}} asks for a token: make one there (Settings, Access), and add it here with it.',
  'remote.token_refused':
    '{{name}} refuses the token that is kept for it: make a new one there, remove the service here, and add it again.',
  'remote.other_certificate':
    '{{name}} has another certificate than the one that was compared ({{fingerprint}}). If nobody renewed it, somebody may stand in between; nothing was sent. Compare it again with what that service prints at its start, remove it here, and add it again.',
  'remote.untrusted':
    'This computer does not trust the certificate of {{name}} ({{code}}): give its fingerprint, which that service prints at its start.',
  'remote.silent': '{{name}} did not answer within {{seconds}} s.',
  'remote.chain': 'A service shows only those that it has itself; ask that one for what it shows.',
  'remote.file_wrong': '{{file}} is not as it was written; bring it back, or delete it and add the other services again.',
  'remote.file_unreadable': '{{file}} cannot be read ({{reason}}).',
} as const;
