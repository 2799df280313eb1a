/** What live data say: the stream of events, waiting for a condition, lists by code. */
export const LIVE_MESSAGES = {
  'live.numbers': 'must be whole numbers from {{min}} to {{max}}, separated by commas, at most 1000',
  'live.codes': 'must be codes of points, at most {{max}}, none of them empty',
  'live.no_codes': 'No channel that is asked for has a point with the code {{codes}}.',
  'live.too_many_readers': 'At most {{most}} readers hear the stream at a time, and so many do. End one, or come back later.',
  'live.only_http': 'The stream is heard over HTTP; the window has none.',
} as const;
