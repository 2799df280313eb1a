import type { IEC104_DOCTOR_MESSAGES } from '#shared/domain/doctor-iec104.ts';
import type { Translation } from '../types.ts';

export const iec104Codes: Translation<typeof IEC104_DOCTOR_MESSAGES> = {
  STARTDT_CONFIRMED: { text: '站端在 {{ms}} ms 后确认了启动数据传输（STARTDT）。' },
};
