/** What live data say: the stream of events, waiting for a condition, lists by code. */
export const LIVE_MESSAGES = {
  'live.numbers': 'must be whole numbers from {{min}} to {{max}}, separated by commas, at most 1000',
  'live.codes': 'must be codes of points, at most {{max}}, none of them empty',
  'live.no_codes': 'No channel that is asked for has a point with the code {{codes}}.',
  'live.too_many_readers': 'At most {{most}} readers hear the stream at a time, and so many do. End one, or come back later.',
  'live.only_http': 'The stream is heard over HTTP; the window has none.',
  'live.code_of_many': '{{code}} is a code of several channels: {{channels}}; name the device',
  'live.other_device': 'the device "{{device}}" is not channel {{id}}; name one of them',
  'live.fresh_one_device': 'reads points of one device at a time; send a request for each',
  'live.not_sent': 'Not sent: one before it was not accepted.',
  'live.value_missing': 'is missing; {{condition}} needs a number to compare with',
  'live.too_many_waits': 'At most {{most}} requests wait for a condition at a time, and so many do. Come back later.',
  'live.wait_ended': 'Point {{code}} was deleted, or its project left, while a condition on it was waited for.',
} as const;
