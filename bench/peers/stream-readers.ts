/** Readers of the stream of events: each counts the items that reach it. */
import { get } from 'node:http';
import { servePeer } from './child.ts';

type Request = { readonly kind: 'open'; readonly url: string; readonly keen: number; readonly lazy: number } | { readonly kind: 'seen' };

interface Seen {
  items: number;
  missed: number;
}

const seen: Seen[] = [];

/** Settles with the first octets. */
function open(url: string, isLazy: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, (response) => {
      const counts: Seen = { items: 0, missed: 0 };
      response.setEncoding('latin1');
      response.once('data', () => {
        if (isLazy) response.pause();
        resolve();
      });
      if (isLazy) return;
      seen.push(counts);
      response.on('data', (text: string) => {
        counts.items += text.split('{"id":').length - 1;
        counts.missed += text.split('event: missed').length - 1;
      });
    }).on('error', reject);
  });
}

servePeer<Request>(async (request) => {
  if (request.kind === 'open') {
    for (let index = 0; index < request.keen + request.lazy; index++) await open(request.url, index >= request.keen);
  }
  return { seen };
});
