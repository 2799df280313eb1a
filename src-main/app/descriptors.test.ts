import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FrameType } from '#shared/domain/enums.ts';
import { PLAIN_NOTATION } from '#shared/domain/notation.ts';
import type { SettingMeta } from '#shared/domain/setting-meta.ts';
import { builtInDrivers } from './built-in-drivers.ts';

type Property = SettingMeta & { readonly description?: string };

function propertiesOf(schema: z.ZodObject | undefined): [string, Property][] {
  const json = schema ? z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) : { properties: {} };
  return Object.entries((json.properties ?? {}) as Record<string, Property>);
}

describe.each(builtInDrivers.all.map((driver) => [driver.descriptor.key, driver.descriptor] as const))(
  'descriptor of %s',
  (_key, descriptor) => {
    const schemas = [
      descriptor.channelSettings,
      descriptor.pointSettings,
      descriptor.commandOptions,
      descriptor.secrets,
      ...(descriptor.operations ?? []).map(({ params }) => params),
    ];
    const settings = schemas.flatMap((schema) => propertiesOf(schema));

    it('tells sides and point types by metadata, and never in the first words of a description', () => {
      for (const [name, { description = '' }] of settings) {
        expect([name, description]).toEqual([name, expect.not.stringMatching(/^(?:(?:server|client|serial): |Y[CXKT]\b.*?: )/)]);
      }
      for (const [name, { side, frame_types }] of settings) {
        expect([name, [undefined, 'server', 'client', 'serial'].includes(side)]).toEqual([name, true]);
        const types: readonly unknown[] = Object.values(FrameType);
        expect([name, (frame_types ?? []).every((type) => types.includes(type))]).toEqual([name, true]);
      }
    });

    it('has columns for what it writes, and names a setting that it has', () => {
      const { address, slave, columns } = descriptor.notation ?? PLAIN_NOTATION;
      const fields = new Set(Object.values(descriptor.pointFields).flat());
      expect(fields.has(address.form === 'reference' ? 'reference' : 'address')).toBe(true);
      expect(fields.has('slave_id')).toBe(slave !== null);
      for (const column of Object.keys(columns)) expect(['address', 'hex', 'slave_id', 'reference', 'value']).toContain(column);
      if (slave && slave.setting !== '') expect(Object.keys(descriptor.pointSettings.shape)).toContain(slave.setting);
    });
  },
);

it('settings keep the sides and types that they have', () => {
  const told = builtInDrivers.all.flatMap(({ descriptor: { key, channelSettings, pointSettings, commandOptions } }) =>
    [channelSettings, pointSettings, commandOptions].flatMap((schema) =>
      propertiesOf(schema).flatMap(([name, { side, frame_types }]) =>
        side || frame_types ? [`${key} ${name} ${side ?? ''} ${frame_types?.join(',') ?? ''}`.trim()] : [],
      ),
    ),
  );
  expect(told).toContain('iec104 dead_band server 0');
  expect(told).toContain('dlt645 relay  2');
  expect(told).toContain('modbus-rtu unknown_unit server');
  expect(told).toContain('modbus-rtu rts_direction serial');
  expect(told).toContain('iec61850 remote_ap_title client');
  expect(told).toContain('iec61850 control_model  2,3');
  expect(told.length).toBeGreaterThan(60);
});
