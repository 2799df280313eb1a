import { expect, it } from 'vitest';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import { settle } from '../../platform/manual-clock.ts';
import { channelSettings } from '../../runtime/testing/harness.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { ServiceDeps } from '../ports.ts';
import { TableChecks } from './table-checks.ts';

it('asks for the model of a channel when it is there: asked for before, a large file would be read at a stretch', async () => {
  const ready = Promise.withResolvers<void>();
  const asked: string[] = [];
  const channel = {
    settings: channelSettings(),
    driver: modbusTcpDriver,
    points: { configRevision: 1, size: 0, configs: () => [] },
    line: {},
    modelReady: () => ready.promise.then(() => void asked.push('ready')),
    model: () => {
      asked.push('model');
      return null;
    },
  } as unknown as ChannelRuntime;
  const deps = { projects: { current: () => null }, tables: { findings: async () => ({ listed: [], counts: {} }) } };
  const checked = new TableChecks(deps as unknown as ServiceDeps).of(channel);
  checked.catch(() => undefined);
  await settle();
  expect(asked).toEqual([]);
  ready.resolve();
  await settle();
  expect(asked[0]).toBe('ready');
  expect((await checked).size).toBe(0);
});
