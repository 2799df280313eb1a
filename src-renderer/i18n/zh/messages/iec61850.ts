import type { IEC61850_MESSAGES } from '#shared/messages/iec61850.ts';
import type { Translation } from '../../types.ts';

export const iec61850: Translation<typeof IEC61850_MESSAGES> = {
  'iec61850.learning_cut': '模型读取完成前连接已断开。',
};
