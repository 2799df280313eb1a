import { createReadStream } from 'node:fs';
import { NewPoint } from '#shared/contract/points.ts';
import type { CapturedConversation, LookedCapture, Series, TakenCapture } from '#shared/contract/simulation.ts';
import { english } from '#shared/messages/index.ts';
import type { Conversation } from '../../capture/conversations.ts';
import type { CapturedPlace, ProtocolDriver } from '../../drivers/spi/index.ts';
import type { SeriesNumbers } from '../../persistence/repositories.ts';
import { cancelled } from '../../platform/clock.ts';
import { Turns } from '../../platform/turns.ts';
import { requireKept } from '../frame-files/kept-captures.ts';
import type { CallContext, Handlers } from '../handlers.ts';
import { findChannel } from '../lookup.ts';
import type { PointChanger } from '../point-changes/point-changer.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { isoTime } from '../rows.ts';
import type { WaysFor } from './attempts.ts';
import { type CaptureWork, captureSeries, type Surveyed, surveyCapture } from './capture-series.ts';
import { placedIn, putInto, requireServing, type StoredValues } from './into-channel.ts';

interface Take {
  readonly conversation: number | undefined;
  /** Of the recorded values. */
  readonly name: string;
  readonly isOnce: boolean;
  /** Number of the protocol that it is understood by; undefined: the one that finds most. */
  readonly protocol: number | undefined;
  readonly channelId: number | undefined;
}

/** Stores recorded values in the place of those with the same name. */
type Keep = (session: ProjectSession, name: string, numbers: SeriesNumbers) => Series;

/** Captures that become recorded values: files that are sent, and those that the project keeps. */
export function captureHandlers(
  { projects, drivers }: ServiceDeps,
  changer: PointChanger,
  keep: Keep,
): Pick<Handlers, 'lookCapture' | 'takeCapture' | 'lookKept' | 'takeKept'> {
  const waysOf =
    (protocol?: number): WaysFor<ProtocolDriver> =>
    (conversation) =>
      drivers.all
        .filter(({ descriptor }) => protocol === undefined || descriptor.protocolType === protocol)
        .flatMap((driver) => {
          const finder = driver.capturedReads?.(conversation);
          return finder ? [{ driver, finder }] : [];
        });

  async function look(work: CaptureWork): Promise<LookedCapture> {
    await drivers.load?.();
    const { conversations, passedOver, surveyed } = await surveyCapture(work, waysOf());
    return { conversations: conversations.map((each, at) => conversationRow(each, at, surveyed(each))), passed_over: passedOver };
  }

  async function take(work: CaptureWork, asked: Take, context: CallContext): Promise<TakenCapture> {
    const session = projects.current();
    const channel = asked.channelId === undefined ? null : findChannel(session, asked.channelId);
    await drivers.load?.();
    const { driver, settings, numbers, places, reads } = await captureSeries(work, asked.conversation ?? 0, waysOf(asked.protocol));
    if (channel) requireServing(channel, driver);
    // the texts of a formula have no escapes
    const name = asked.name.replace(/["\\]/g, '_');
    const points = places.map((place) => {
      const point = pointOf(name, place, asked.isOnce);
      // what a master asked for later was there before; what a device tells by itself was not told yet
      const first = driver.descriptor.reportsChanges ? undefined : numbers.columns.get(place.column)?.find((value) => !Number.isNaN(value));
      const begun = first === undefined ? point : { ...point, protocol: { ...point.protocol, start_value: first } };
      return channel ? placedIn(channel, begun) : begun;
    });
    const store = async (turns: Turns): Promise<StoredValues> => {
      // writing it is one transaction
      await turns.next();
      const before = session.series.find(name);
      const series = keep(session, name, numbers);
      return {
        series,
        takeBack() {
          // another take may have its values there by now
          if (!isOpen(session) || session.series.find(name) !== numbers) return;
          if (before) session.series.write(name, before);
          else session.series.remove(name);
        },
      };
    };
    const taken = { reads, protocol_type: driver.descriptor.protocolType, protocol: { ...settings }, points };
    if (!channel) return { ...taken, series: (await store(work.turns)).series, taken_into: null };
    const { series, ...done } = await putInto(changer, { channel, points, file: name, context, store });
    return { ...taken, series, taken_into: { channel_id: channel.id, ...done } };
  }

  /** False where the project was left meanwhile: its file belongs to nobody here then. */
  function isOpen(session: ProjectSession): boolean {
    try {
      return projects.current() === session;
    } catch {
      return false;
    }
  }

  async function keptWork(field: string, name: string, context: CallContext): Promise<CaptureWork> {
    const { captures } = projects.current().store;
    await requireKept(captures, name);
    return { field, octets: () => createReadStream(captures.pathOf(name)), ...inTurns(context) };
  }

  return {
    lookCapture: async ({ file }, context) => look(await fileWork(file, context)),
    async takeCapture({ conversation, name, once = 'false', protocol_type: protocol, channel_id, file }, context) {
      const asked = { conversation, name: name ?? nameOf(file.name), isOnce: once === 'true', protocol, channelId: channel_id };
      return take(await fileWork(file, context), asked, context);
    },
    lookKept: async ({ name }, context) => look(await keptWork('name', name, context)),
    async takeKept(
      { capture, conversation, name = capture.slice(0, LONGEST_NAME), once = false, protocol_type: protocol, channel_id },
      context,
    ) {
      return take(
        await keptWork('capture', capture, context),
        { conversation, name, isOnce: once, protocol, channelId: channel_id },
        context,
      );
    },
  };
}

const LONGEST_NAME = 100;

async function fileWork(file: File, context: CallContext): Promise<CaptureWork> {
  const octets = await file.bytes();
  return { field: 'file', octets: () => [octets], ...inTurns(context) };
}

function inTurns(context: CallContext): Pick<CaptureWork, 'turns' | 'signal'> {
  const gone = new AbortController();
  context.whenGone?.(() => gone.abort(cancelled()));
  return { turns: new Turns(), signal: gone.signal };
}

function conversationRow(
  { rolesBy, firstNs, lastNs, ...found }: Conversation,
  index: number,
  surveyed: Surveyed<ProtocolDriver>,
): CapturedConversation {
  const { carrier, master, device, line, packets, gaps } = found;
  const { driver, reads, addresses, reason, leftOut } = surveyed;
  const timeOf = (ns: bigint | null) => (ns === null ? null : isoTime(Number(ns / 1_000_000n)));
  return {
    ...{ index, carrier, master, device, line, roles_by: rolesBy, packets, gaps },
    ...{ from: timeOf(firstNs), to: timeOf(lastNs) },
    ...{ protocol_type: driver?.descriptor.protocolType ?? null, reads, addresses },
    ...{ reason: reason && english(reason), reason_message: reason },
    ...{ left_out: leftOut && english(leftOut), left_out_message: leftOut },
  };
}

/** A point that serves a column; its address is as it travels. */
function pointOf(name: string, { column, point }: CapturedPlace, isOnce: boolean): NewPoint {
  const simulate = `series("${name}", "${column}", "hold"${isOnce ? ', "once"' : ''})`;
  return NewPoint.parse({ ...point, protocol: { ...point.protocol, simulate } });
}

/** A file name without folders and ending. */
export function nameOf(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? '')
    .replace(/\.[^.]*$/, '')
    .trim()
    .slice(0, LONGEST_NAME);
}
