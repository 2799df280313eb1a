/** What recorded values say: their file, their settings, questions about them. */
export const HISTORY_MESSAGES = {
  'history.file': 'File of recorded values {{path}}: {{what}}.',
  'history.disk_full': 'File of recorded values {{path}}: the disk is full ({{code}}); free some space, it goes on by itself then.',
  'history.newer':
    'The file of recorded values {{path}} was written by a newer Loopcheck; open the project with that one, or move the file away.',
  'history.thread_ended': 'The thread that keeps recorded values ended; it is started again.',
  'history.overrun': 'Values come faster than they can be written; record fewer points, or only those that changed.',
  'history.triggered': 'Recording began: {{trigger}}',
  'history.kept':
    'From {{from}} to {{to}} nothing was recorded, as where the service did not run or the clock of this computer was set forward; such a stretch counts as a day of the retention at most, and values from before it are kept that much longer. If the clock is wrong, set it.',
  'history.ahead':
    'Values were recorded with times up to {{until}}, while the clock of this computer was ahead; they keep these times, and are the first to go when the room of the channel is used up. If it is wrong now, set it.',
  'history.no_series': 'may not follow a file of recorded values; it is about what the points have now',
  'history.band_twice': 'names "{{code}}" for the second time; a point has one dead band',
  'history.band_nobody': 'no point of this channel has the code "{{code}}"; the dead band holds once there is one',
  'history.points': 'must be 1 to {{max}} points as channel:frame_type:id, separated by commas, such as 1:0:5',
  'history.points_or_code': 'name points by `points` or by `code`, one of them',
  'history.too_many': 'names {{count}} points; {{max}} at most are answered at once',
  'history.time': 'must be a time with its zone, such as 2026-01-31T08:00:00Z',
  'history.backwards': 'is not behind `from`; the range ends before it begins',
  'history.too_long': 'is more than {{years}} years behind `from`; ask for less',
  'history.busy': '{{most}} questions about recorded values are being answered already; come back later.',
} as const;
