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
  'common.or': '{{left}} 或 {{right}}',
  'common.and': '{{left}} 和 {{right}}',
  'common.and_more': '{{parts}} 等，另有 {{count}} 项',
  'common.and_others': '{{parts}}，…',
};
