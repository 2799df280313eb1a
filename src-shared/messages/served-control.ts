/** What is said of controls at the simulated IED. */
export const SERVED_CONTROL_MESSAGES = {
  'iec61850.command_refused': '{{peer}}: {{service}} of {{object}} was refused. {{cause}}',
  'iec61850.command_unmoved': '{{peer}}: the command of {{object}} was taken and did not reach the process.',
  'iec61850.command_ended': '{{peer}}: the command of {{object}} ended without success. {{cause}}',
  'iec61850.report_untold': '{{peer}}: what is to be said of {{object}} has {{octets}} octets; it takes {{most}} at most.',
} as const;
