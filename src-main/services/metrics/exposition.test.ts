import { expect, it } from 'vitest';
import { exposition } from './exposition.ts';

it('writes names, help, type and samples, with everything escaped that has to be', () => {
  const text = exposition([
    {
      name: 'loopcheck_x_total',
      help: 'A \\ and\na line.',
      type: 'counter',
      samples: [
        { labels: { channel: 'A "b" \\ c\nd', kind: '电表' }, value: 1.5 },
        { labels: {}, value: Number.NaN },
        { labels: {}, value: Number.POSITIVE_INFINITY },
      ],
    },
    { name: 'loopcheck_none', help: 'Nothing.', type: 'gauge', samples: [] },
  ]);
  expect(text).toBe(
    '# HELP loopcheck_x_total A \\\\ and\\na line.\n# TYPE loopcheck_x_total counter\n' +
      'loopcheck_x_total{channel="A \\"b\\" \\\\ c\\nd",kind="电表"} 1.5\nloopcheck_x_total NaN\nloopcheck_x_total +Inf\n',
  );
});
