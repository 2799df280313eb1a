/** What the buffer of publishers says: the file in which records wait while their target is away. */
export const BUFFER_MESSAGES = {
  'buffer.file': 'File of waiting records {{path}}: {{what}}.',
  'buffer.disk_full': 'File of waiting records {{path}}: the disk is full ({{code}}); free some space, it goes on by itself then.',
  'buffer.disk_low':
    'File of waiting records {{path}}: less than {{mb}} MiB are free on its drive, which are left for the project; free some space, it goes on by itself then.',
  'buffer.newer': 'The file of waiting records {{path}} was written by a newer Loopcheck; update this one, or move the file away.',
  'buffer.thread_ended': 'The thread that keeps waiting records ended; it is started again.',
  'buffer.sparkplug':
    'cannot be combined with Sparkplug B: a broker confirms none of its messages, so nobody would know what has arrived; leave it off',
  'buffer.qos':
    'must be left out with quality of service 0: a broker confirms nothing then, so nothing could be kept until it has it; take 1 or 2',
} as const;
