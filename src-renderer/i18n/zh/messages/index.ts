import type { MESSAGES } from '#shared/messages/index.ts';
import type { Translation } from '../../types.ts';
import { ber } from './ber.ts';
import { common } from './common.ts';
import { frames } from './frames.ts';
import { dlt645Frames } from './frames-dlt645.ts';
import { iec104Frames } from './frames-iec104.ts';
import { mmsFrames } from './frames-mms.ts';
import { modbusFrames } from './frames-modbus.ts';
import { mms } from './mms.ts';

/** The Chinese sentence of each message of the service, room by room. */
export const messages: Translation<typeof MESSAGES> = {
  ...common,
  ...ber,
  ...frames,
  ...dlt645Frames,
  ...iec104Frames,
  ...mmsFrames,
  ...mms,
  ...modbusFrames,
};
