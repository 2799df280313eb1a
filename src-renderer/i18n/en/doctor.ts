import { DOCTOR_MESSAGES } from '#shared/domain/doctor.ts';

export const doctor = {
  open: 'Connection doctor',
  cause: 'Find the cause',
  title: 'Connection doctor: {{name}}',
  verdicts: 'Verdicts by layer',
  again: 'Examine again',
  search: 'Search the line',
  edit: 'Channel settings',
  layers: { line: 'Adapter or route', bytes: 'Octets', framing: 'Framing and parity', address: 'Address', table: 'Point table' },
  hints: {
    line: 'does the port open, is there a way to the device',
    bytes: 'does anything arrive',
    framing: 'are the octets frames of this protocol',
    address: 'does the device answer',
    table: 'do points and device fit',
  },
  states: { good: 'good', warning: 'look at this', bad: 'not good', skipped: 'not looked at', now: 'being examined', waiting: 'waiting' },
  codes: DOCTOR_MESSAGES,
} as const;
