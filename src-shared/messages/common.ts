/** Messages that belong to no room, and the means to join others. */
export const COMMON_MESSAGES = {
  /** Words that are no message: what a system, a device or a library said. */
  'common.text': '{{text}}',
  'common.two': '{{first}} {{second}}',
  'common.then': '{{left}}; {{right}}',
  'common.list': '{{parts}}',
  'common.issue': '{{path}}: {{message}}',
  'common.more': 'and {{count}} more',
  'common.cancelled': 'Cancelled on request.',
  'common.or': '{{left}} or {{right}}',
  'common.and': '{{left}} and {{right}}',
  'common.and_more': '{{parts}} and {{count}} more',
  'common.and_others': '{{parts}}, …',
} as const;
