import { expect, it } from 'vitest';
import { placedUrl } from './service-place.ts';

it('sends what a page asks to the service that it shows, and what is about the other services to its own', () => {
  expect(placedUrl('/api/channel/list?x=/api/y', null)).toBe('/api/channel/list?x=/api/y');
  expect(placedUrl('/api/channel/list?x=/api/y', 7)).toBe('/api/remote/7/channel/list?x=/api/y');
  expect(placedUrl('/api/remotes/channels', 7)).toBe('/api/remotes/channels');
});
