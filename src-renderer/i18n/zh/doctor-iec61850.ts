import type { IEC61850_DOCTOR_MESSAGES } from '#shared/domain/doctor-iec61850.ts';
import type { Translation } from '../types.ts';

export const iec61850Codes: Translation<typeof IEC61850_DOCTOR_MESSAGES> = {
  SELECTORS_ACCEPTED: { text: '设备接受了各层选择符（selector）。' },
};
