import type { COMMON_MESSAGES } from '#shared/messages/common.ts';
import type { Translation } from '../../types.ts';

export const common: Translation<typeof COMMON_MESSAGES> = {
  'common.text': '{{text}}',
  'common.two': '{{first}}{{second}}',
  'common.then': '{{left}}；{{right}}',
  'common.list': '{{parts}}',
  'common.issue': '{{path}}：{{message}}',
  'common.more': '另有 {{count}} 项',
  'common.cancelled': '已按要求取消。',
};
