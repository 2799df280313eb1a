/** A template made fit for the channel that somebody wants of it. */
import type { z } from 'zod';
import type { DeviceTemplate } from '#shared/contract/library.ts';
import { simulatedPort } from '#shared/domain/device-library.ts';
import { isServing } from '#shared/domain/enums.ts';
import { invalidField } from '#shared/domain/errors.ts';
import { protocolFacts } from '#shared/domain/protocols.ts';
import { say } from '#shared/messages/index.ts';
import type { ProtocolDriver } from '../../drivers/spi/index.ts';
import { isFields, type TemplateContent } from './template.ts';

/** What is asked of the new channel; undefined: as the template has it. */
export interface Wanted {
  readonly name: string;
  readonly connType: DeviceTemplate['conn_type'];
  readonly ip?: string | undefined;
  readonly port?: number | undefined;
  readonly comPort?: string | null | undefined;
  readonly slaveId?: number | undefined;
}

/** Settings and points of the channel that is wanted, unchecked as those of the template. Throws `CONFIG_INVALID` for a unit id that would not be one device's. */
export function fitted({ channel, points }: TemplateContent, row: DeviceTemplate, wanted: Wanted, driver: ProtocolDriver | undefined) {
  const serves = isServing(wanted.connType);
  const port = row.port ?? protocolFacts(row.protocol_type).defaultPort;
  requireOneSlave(row, wanted.slaveId, driver);
  const { channelSettings, pointSettings } = driver?.descriptor ?? {};
  return {
    channel: {
      ...channel,
      name: wanted.name,
      conn_type: wanted.connType,
      ip: wanted.ip ?? '127.0.0.1',
      port: wanted.port ?? (serves ? simulatedPort(port) : port),
      com_port: wanted.comPort ?? null,
      protocol: ofSide(channel.protocol, channelSettings, serves),
    },
    points: points.map((point) => ({
      ...point,
      ...(wanted.slaveId === undefined ? {} : { slave_id: wanted.slaveId }),
      protocol: ofSide(point.protocol, pointSettings, serves),
    })),
  };
}

function requireOneSlave({ slaves }: DeviceTemplate, slaveId: number | undefined, driver: ProtocolDriver | undefined): void {
  if (slaveId === undefined) return;
  if (driver?.descriptor.notation?.slave === null) throw invalidField('slave_id', say('library.no_slave'));
  if (slaves.length > 1) throw invalidField('slave_id', say('library.slaves', { slaves: slaves.map(String) }));
}

/** Settings without those that mean something on the other side only. */
function ofSide(given: unknown, schema: z.ZodObject | undefined, serves: boolean): unknown {
  if (!isFields(given) || !schema) return given ?? {};
  const other = serves ? 'client' : 'server';
  return Object.fromEntries(Object.entries(given).filter(([key]) => sideOf(schema, key) !== other));
}

function sideOf(schema: z.ZodObject, key: string): unknown {
  if (!Object.hasOwn(schema.shape, key)) return undefined;
  const field: unknown = schema.shape[key];
  return field instanceof Object && 'meta' in field && typeof field.meta === 'function' ? field.meta()?.side : undefined;
}
