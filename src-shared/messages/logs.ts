/** What is said of logs of IEC 61850. */
export const LOG_MESSAGES = {
  'log.none': 'The device has no log control blocks.',
  'log.none_known': 'No information model is known, so no log control blocks either. Learn the model first.',
  'log.listed': '{{count}} log control blocks',
  'log.listed_some': '{{count}} log control blocks; {{refused}} were not given by the device',
  'log.read': '{{count}} entries of {{log}}',
  'log.read_more': '{{count}} entries of {{log}}, more follow: go on with after_entry and after_time of the last one',
  'log.read_until': '{{count}} entries of {{log}}, more follow, but what comes behind them was not given: {{reason}}',
  'log.repeats': '{{log}} begins anew with each page, so it cannot be gone through. Ask for times with from and to.',
  'log.no_name': '"{{name}}" is no log; it should look like LD/LLN0$name, as its control block names it.',
  'log.time_without_entry': 'after_time is the time of the entry that after_entry names; for a range of times give from and to.',
  'log.two_begins': 'A query begins at a time or behind an entry: give from or after_entry.',
  'log.range': 'from lies behind to, so no entry can be meant.',
} as const;
