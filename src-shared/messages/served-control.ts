/** What is said of controls at the simulated IED. */
export const SERVED_CONTROL_MESSAGES = {
  'served_control.refused': '{{peer}}: {{service}} of {{object}} was refused. {{cause}}',
  'served_control.done': '{{peer}} operated {{object}}.',
  'served_control.not_moved': '{{peer}}: the command of {{object}} was taken and did not reach the process.',
  'served_control.ended': '{{peer}}: the command of {{object}} ended without success. {{cause}}',
  'served_control.untold': '{{peer}}: what is to be said of {{object}} has {{octets}} octets; it takes {{most}} at most.',
} as const;
