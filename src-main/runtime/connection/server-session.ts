import { toAppError } from '#shared/domain/errors.ts';
import type { DriverConnection, FrameSink, ServerIo } from '../../drivers/spi/index.ts';
import { cancelled } from '../../platform/clock.ts';
import { runInTurns } from '../../platform/steps.ts';
import { Turns } from '../../platform/turns.ts';
import type { AcceptedPeer, ByteListener } from '../../transport/types.ts';
import { ChannelLine, describeEnd, frameSink, lossError, watchedPeer } from './channel-line.ts';
import { closeInOrder, type Session, type SessionContext, SessionVoice } from './session.ts';

/** Tables up to this size are served after a few milliseconds of work, whatever serves them. */
const MADE_AT_ONCE = 1_000;
/** So are documents of so many characters. */
const DOCUMENT_AT_ONCE = 262_144;

/**
 * Serves the point table: on a listener for every peer that connects, each with a connection number of its own, or on a serial
 * line. Rejects with what the transport says; `CANCELLED` when the signal ends it. Leaves nothing open when it rejects.
 */
export async function openServerSession(context: SessionContext, signal: AbortSignal): Promise<Session> {
  return context.line.kind === 'serial' ? serveSerial(context, signal) : new ListenerOpening(context).run(signal);
}

async function serveSerial(context: SessionContext, signal: AbortSignal): Promise<Session> {
  const voice = new SessionVoice(context);
  const connectionNumber = context.nextConnection();
  const line: ChannelLine = new ChannelLine(context.transports.connector(context.line), context.health, {
    onEnd: (cause) => {
      context.frames.event('closed', describeEnd(cause), connectionNumber, line.label);
      voice.lost(lossError(cause));
    },
    onFault: (error) => voice.fault(error),
  });
  await line.open(signal);
  context.frames.event('opened', line.label, connectionNumber, line.label);
  try {
    const io = voice.io(connectionNumber, line.label, (error) => voice.lost(error));
    const serialLine = context.faults.wrap(line, false);
    const connection = context.driver.serve({ ...io, onPeer: () => undefined, serialLine, ...servedFacts(context) });
    return served(context, voice, connection, line, { boundPort: null, serialPath: line.serialPath });
  } catch (thrown) {
    voice.silence();
    await closeInOrder(context, null, line);
    throw toAppError(thrown);
  }
}

/** A listener on its way up, and the peers it gets. */
class ListenerOpening {
  readonly #context: SessionContext;
  readonly #voice: SessionVoice;
  readonly #listener: ByteListener;
  readonly #peers = new Set<AcceptedPeer>();
  #accept: ((peer: AcceptedPeer, frames: FrameSink) => void) | null = null;

  constructor(context: SessionContext) {
    this.#context = context;
    this.#voice = new SessionVoice(context);
    this.#listener = context.transports.listener(context.line);
  }

  async run(signal: AbortSignal): Promise<Session> {
    const context = this.#context;
    const place = `${context.line.ip}:${context.line.port}`;
    const io = this.#voice.io(context.nextConnection(), place, (error) => this.#voice.lost(error));
    const onPeer = (accept: (peer: AcceptedPeer, frames: FrameSink) => void) => {
      this.#accept = accept;
    };
    const connection = await this.#made({ ...io, onPeer, serialLine: null, ...servedFacts(context) }, signal);
    try {
      await this.#listener.listen(
        (peer) => this.#onPeer(peer),
        (reason) => context.onNotice(reason.said),
      );
      if (signal.aborted) throw cancelled();
    } catch (thrown) {
      this.#voice.silence();
      await closeInOrder(context, connection, this.#listener);
      throw toAppError(thrown);
    }
    return served(context, this.#voice, connection, this.#listener, { boundPort: this.#listener.boundPort, serialPath: null });
  }

  /** What is served, made in turns of a large table or document; nobody is listened to before all of it is there. */
  async #made(io: ServerIo, signal: AbortSignal): Promise<DriverConnection> {
    const { driver, points, document } = this.#context;
    const isLarge = points.length > MADE_AT_ONCE || (document?.text.length ?? 0) > DOCUMENT_AT_ONCE;
    const steps = isLarge ? driver.serveSteps?.(io) : undefined;
    if (!steps) return driver.serve(io);
    const { breathe } = new Turns();
    try {
      return await runInTurns(steps, async () => {
        await breathe();
        if (signal.aborted) throw cancelled();
      });
    } catch (thrown) {
      this.#voice.silence();
      throw thrown;
    }
  }

  #onPeer(peer: AcceptedPeer): void {
    const { frames, health } = this.#context;
    if (this.#voice.isOver || this.#context.faults.refuses()) return void peer.close();
    const number = this.#context.nextConnection();
    frames.event('opened', peer.label, number, peer.label);
    this.#peers.add(peer);
    health.setClients(this.#peers.size);
    const watched = watchedPeer(peer, health, {
      onEnd: (cause) => {
        frames.event('closed', describeEnd(cause), number, peer.label);
        this.#peers.delete(peer);
        health.setClients(this.#peers.size);
      },
      onFault: (error) => this.#voice.fault(error),
    });
    try {
      this.#accept?.(this.#context.faults.wrap(watched, true), frameSink(frames, number, peer.label));
    } catch (thrown) {
      void peer.close();
      this.#voice.fault(thrown);
    }
  }
}

/** Values live as long as the program does: the point table remembers what was served before the channel was started anew. */
function servedFacts({ table, faults }: SessionContext): Required<Pick<ServerIo, 'servedBefore' | 'exceptionAt'>> {
  return {
    servedBefore(pointId) {
      const raw = table.state(pointId)?.rawHex ?? '';
      return raw === '' ? null : Buffer.from(raw, 'hex');
    },
    exceptionAt: (address, count) => faults.exceptionAt(address, count),
  };
}

function served(
  context: SessionContext,
  voice: SessionVoice,
  connection: DriverConnection,
  line: { close(): Promise<void> },
  place: Pick<Session, 'boundPort' | 'serialPath'>,
): Session {
  let closing: Promise<void> | null = null;
  return {
    connection,
    ...place,
    close: () => {
      voice.silence();
      closing ??= closeInOrder(context, connection, line).then(() => context.health.setClients(0));
      return closing;
    },
  };
}
