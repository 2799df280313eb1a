import { z } from 'zod';
import type { ProtocolType } from '#shared/domain/enums.ts';
import { AppError, fieldIssue } from '#shared/domain/errors.ts';
import { protocolFacts } from '#shared/domain/protocols.ts';
import { say } from '#shared/messages/index.ts';
import type { ProtocolDriver } from '../../drivers/spi/index.ts';

/**
 * Stands in for a protocol of the contract that this version has no driver for, so that a project with such a channel can be opened,
 * looked at and deleted; starting it is refused with `CONFIG_INVALID`.
 */
export function missingDriver(protocolType: ProtocolType): ProtocolDriver {
  const said = say('runtime.no_driver', { protocol: protocolFacts(protocolType).name });
  const refuse = () => new AppError('CONFIG_INVALID', said);
  return {
    descriptor: {
      protocolType,
      key: 'missing',
      modes: [],
      commandSteps: [],
      channelFields: [],
      channelSettings: z.looseObject({}),
      pointFields: { 0: [], 1: [], 2: [], 3: [] },
      pointSettings: z.looseObject({}),
    },
    normalizePoint: (draft) => ({
      point: {
        ...draft,
        name: draft.name ?? draft.code,
        address: draft.address ?? 0,
        slave_id: draft.slave_id ?? 1,
        func_code: draft.func_code ?? null,
        decode: draft.decode ?? '',
      },
      issues: [fieldIssue('', said)],
    }),
    isReadable: () => false,
    connect: () => Promise.reject(refuse()),
    serve: () => {
      throw refuse();
    },
    explain: () => ({ summary: said, nodes: [], secrets: [] }),
  };
}
