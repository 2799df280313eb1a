/** Messages that belong to no room, and the means to join others. */
export const COMMON_MESSAGES = {
  /** Words that are no message: what a system, a device or a library said. */
  'common.text': '{{text}}',
  'common.two': '{{first}} {{second}}',
  'common.list': '{{parts}}',
  'common.cancelled': 'Cancelled.',
} as const;
