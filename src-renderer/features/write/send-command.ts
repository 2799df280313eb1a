import type { CallResult } from '#shared/client/client.ts';
import type { Channel } from '#shared/contract/channels.ts';
import type { Effect } from '#shared/contract/effect.ts';
import { type InputOf, type NameOf, operations } from '#shared/contract/index.ts';
import { commandDoor } from '../../api/client.ts';
import { isHeldBack } from '../../api/held-requests.ts';
import { needsArming } from './arming.ts';

/**
 * The one way of a command out of the page: sent once, through a channel that is armed at this moment. Null when it is not, or when actions are only written
 * down; nothing was sent then.
 * `effect` is that of what the operation runs, where it says so (`deviceOperation`). Throws as `ApiClient.call`.
 */
export async function sendCommand<Name extends NameOf<'command'>>(
  name: Name,
  channel: Channel,
  input: InputOf<Name>,
  effect: Effect = operations[name].effect,
): Promise<CallResult<Name> | null> {
  if (needsArming(channel, effect)) return null;
  try {
    return await commandDoor.call(name, input);
  } catch (thrown) {
    if (isHeldBack(thrown)) return null;
    throw thrown;
  }
}
