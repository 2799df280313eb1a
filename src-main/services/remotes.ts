import { operations } from '#shared/contract/index.ts';
import { type Remote, RemoteChannel, type RemoteView } from '#shared/contract/remotes.ts';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { boundedText } from '../platform/bounded-text.ts';
import type { Handlers } from './handlers.ts';
import type { KnownRemote, ServiceDeps } from './ports.ts';

/** A service that does not answer holds nobody up for longer, in milliseconds. */
const ANSWER_MS = 3_000;
/** Nobody is asked again within this time, in milliseconds, however many pages look. */
const FRESH_MS = 2_000;
/** Channels that are shown of one service. */
const MOST_CHANNELS = 500;
/** Octets of a list of channels that are taken. */
const MOST_OCTETS = 8 * 1024 * 1024;

function remoteRow({ id, name, address, fingerprint, end }: KnownRemote): Remote {
  return { id, name, address, fingerprint, token_end: end };
}

type RemoteHandlers = Pick<Handlers, 'listRemotes' | 'remoteChannels' | 'lookRemote' | 'addRemote' | 'removeRemote'>;

/** Other services beside this one. */
export function remoteHandlers({ facts, clock }: Pick<ServiceDeps, 'facts' | 'clock'>): RemoteHandlers {
  const { remotes } = facts;
  let asked: { readonly at: number; readonly views: Promise<RemoteView[]> } | null = null;

  async function viewOf({ id, name, address }: KnownRemote): Promise<RemoteView> {
    const late = new AbortController();
    const cancel = clock.after(ANSWER_MS, () =>
      late.abort(new AppError('TIMEOUT_RESPONSE', say('remote.silent', { name, seconds: ANSWER_MS / 1000 }))),
    );
    try {
      const channels = (await channelsOf(id, name, late.signal)).slice(0, MOST_CHANNELS);
      return { id, name, address, is_reached: true, trouble: null, channels };
    } catch (thrown) {
      const { said } = toAppError(late.signal.aborted ? late.signal.reason : thrown);
      return { id, name, address, is_reached: false, trouble: said, channels: [] };
    } finally {
      cancel();
    }
  }

  async function channelsOf(id: number, name: string, signal: AbortSignal): Promise<RemoteChannel[]> {
    const { path } = operations.listChannels;
    const answer = await remotes.ask(id, { method: 'GET', path, signal });
    if (answer.status === 401) {
      answer.body.destroy();
      throw new AppError('PROTOCOL_REFUSED', say('remote.token_refused', { name }));
    }
    return channelsIn(await boundedText(answer.body, MOST_OCTETS, signal), name);
  }

  return {
    listRemotes: () => ({ items: remotes.list().map(remoteRow) }),
    async remoteChannels() {
      const now = clock.monotonicMs();
      if (!asked || now - asked.at > FRESH_MS) asked = { at: now, views: Promise.all(remotes.list().map(viewOf)) };
      return { items: await asked.views };
    },
    lookRemote: ({ address }) => remotes.look(address),
    async addRemote({ name, address, token, fingerprint }, context) {
      const remote = await remotes.add({ name, address, token, fingerprint });
      if (remote.end !== null && remote.address.startsWith('http:'))
        context.warn('token', say('remote.open_token', { address: remote.address }));
      asked = null;
      return remoteRow(remote);
    },
    removeRemote({ id }) {
      remotes.remove(id);
      asked = null;
      return { removed: true };
    },
  };
}

/** What another version may say beside what is known here does not matter. */
function channelsIn(body: string, name: string): RemoteChannel[] {
  try {
    const { data } = JSON.parse(body) as { data: unknown };
    return RemoteChannel.array().parse(data);
  } catch {
    throw new AppError('PROTOCOL_MISMATCH', say('remote.not_loopcheck', { address: name }));
  }
}
