import { expect, it } from 'vitest';
import { readChannel } from './points-draft.ts';

it('reads a channel of this project, and one of another service', () => {
  expect(readChannel('12')).toEqual({ channel_id: 12 });
  expect(readChannel('3:12')).toEqual({ channel_id: 12, service_id: 3 });
});
