import type { COMMON_MESSAGES } from '#shared/messages/common.ts';
import type { Translation } from '../../types.ts';

export const common: Translation<typeof COMMON_MESSAGES> = {
  'common.text': '{{text}}',
  'common.two': '{{first}}{{second}}',
  'common.list': '{{parts}}',
  'common.cancelled': '已取消。',
};
