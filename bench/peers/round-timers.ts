/** The comparator: bare timers at the same cycle, each sending one fixed read on its own connection. Nothing else is done. */
import { connect } from 'node:net';
import { servePeer } from './child.ts';

const REQUEST = Buffer.from([0, 1, 0, 0, 0, 6, 1, 3, 0, 0, 0, 100]);

servePeer<{ ports: number[]; cycleMs: number }>(async ({ ports, cycleMs }) => {
  for (const port of ports) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', () => resolve());
      socket.once('error', reject);
    });
    socket.on('error', () => socket.destroy());
    socket.resume();
    let planned = performance.now();
    const fire = () => {
      socket.write(REQUEST);
      planned += cycleMs;
      setTimeout(fire, Math.max(0, planned - performance.now()));
    };
    fire();
  }
  return {};
});
