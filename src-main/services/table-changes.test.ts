import { expect, it } from 'vitest';
import { say } from '#shared/messages/index.ts';
import { inFolder, openTestProject, testChannel, testPoint } from '../persistence/test-project.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import { ColumnPointStore } from '../runtime/values/point-store.ts';
import type { ProjectSession } from './ports.ts';
import { TableChanges } from './table-changes.ts';

it('a large change that is confirmed stays, whatever fails behind it', async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/p.loopcheck`;
    const store = openTestProject(path);
    const settings = store.channels.add(testChannel('PCS 1'));
    const fault = new Error('a fault of a driver');
    const channel = {
      id: settings.id,
      settings,
      points: new ColumnPointStore(),
      pointsChanged() {
        throw fault;
      },
    } as unknown as ChannelRuntime;
    const session = { store, channels: { get: () => channel } } as unknown as ProjectSession;
    const changes = new TableChanges({ current: () => session } as never);
    const added = Array.from({ length: 700 }, (_, index) => testPoint(`P${index}`));
    const journal = { at: '2026-01-01T00:00:00.000Z', source: 'api', name: say('edit.no_step', { step: 1 }) } as const;
    const made = changes.run(channel, (turns) => changes.make([{ channel, change: { removed: [], changed: [], added } }], journal, turns));
    await expect(made).rejects.toBe(fault);
    expect(channel.points.size).toBe(700);
    expect([store.points.count(settings.id), store.steps.all().length]).toEqual([700, 1]);
    await store.swept();
    store.close();
    const again = openTestProject(path, false);
    expect(again.points.count(settings.id)).toBe(700);
    again.close();
  });
});
