/** What a person or script may ask a meter for by name. Each is sent once. */

import { z } from 'zod';
import type { Effect } from '#shared/contract/effect.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { DriverOperation } from '../../spi/operations.ts';
import { connTypes, type MeterOperation, type OperationContext, type PreparedOperation } from './meter-operation.ts';
import { meter } from './operation-params.ts';
import { OPEN_OPERATIONS } from './operations-open.ts';
import { PROTECTED_OPERATIONS } from './operations-protected.ts';

const SENT: readonly MeterOperation[] = [...OPEN_OPERATIONS, ...PROTECTED_OPERATIONS];

/** The operation that says which meters nothing is written to. */
export const WRITE_BLOCKS = 'write_blocks';
/** The operation that ends such a block. */
export const LIFT_WRITE_BLOCK = 'lift_write_block';

/** All operations, in the order of buttons. */
export const OPERATIONS: readonly DriverOperation[] = [
  ...SENT,
  {
    name: WRITE_BLOCKS,
    summary: 'List the meters that refused a password, to which nothing is written until the block is lifted; nothing is sent',
    params: z.object({}),
    effect: 'query',
    connTypes,
  },
  {
    name: LIFT_WRITE_BLOCK,
    summary:
      'Allow writes again to a meter that refused a password; nothing is sent. Another wrong password may lock the meter for 24 hours.',
    params: z.object({ meter }),
    effect: 'command',
    connTypes,
  },
];

/** The request of an operation, and what it does. Throws `CONFIG_INVALID` and `CONFIG_RANGE`; nothing was sent then. */
export function prepareOperation(
  name: string,
  params: Readonly<Record<string, unknown>>,
  context: OperationContext,
): { readonly prepared: PreparedOperation; readonly effect: Effect } {
  const found = SENT.find((operation) => operation.name === name);
  if (!found) throw new AppError('CONFIG_INVALID', say('dlt645.no_operation', { name }));
  return { prepared: found.prepare(params, context), effect: found.effect };
}
