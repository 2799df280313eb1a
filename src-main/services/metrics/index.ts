import { CHANNEL_STATUSES, QUALITIES, TASK_STATES } from '#shared/domain/enums.ts';
import type { ChannelRuntime, TaskKind } from '../../runtime/types.ts';
import type { Handlers } from '../handlers.ts';
import type { LiveHub } from '../live/hub.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { projectWarnings } from '../service-warnings.ts';
import { readSettings } from '../settings-store.ts';
import { EXPOSITION_TYPE, exposition, type Family, type Labels, type Sample } from './exposition.ts';

/** What one channel says of itself. */
type ChannelValues = (channel: ChannelRuntime) => readonly Sample[];

/** Numbers of the service and its channels, for Prometheus. Everything from memory. */
export function metricsHandlers(deps: ServiceDeps, hub: Pick<LiveHub, 'counts'>): Pick<Handlers, 'metrics'> {
  return {
    metrics() {
      const session = deps.projects.current();
      const text = exposition([...ofService(deps, hub), ...ofChannels(session.channels.list()), ...ofPublishers(session)]);
      return { name: 'loopcheck.prom', mediaType: EXPOSITION_TYPE, bytes: new TextEncoder().encode(text) };
    },
  };
}

function ofService({ facts, projects }: ServiceDeps, hub: Pick<LiveHub, 'counts'>): Family[] {
  const session = projects.current();
  const { events, store } = session;
  const { readers, missed, disconnected } = hub.counts();
  const isReadOnly = facts.forcedReadOnly || readSettings(store.settings).read_only;
  const warnings = projectWarnings(session).length + facts.warnings().length;
  return [
    gauge('loopcheck_build_info', 'Version of the service; always 1.', 1, { version: facts.version }),
    counter('process_cpu_seconds_total', 'Processor time of the process, over all cores.', facts.cpuMs() / 1000),
    gauge('process_resident_memory_bytes', 'Memory of the process.', facts.memoryBytes()),
    gauge('process_start_time_seconds', 'When the service was started, Unix time.', facts.startedAt / 1000),
    gauge('loopcheck_read_only', '1: the service refuses every write to a device.', Number(isReadOnly)),
    gauge('loopcheck_warnings', 'Things that are wrong with the files of the service now.', warnings),
    counter('loopcheck_events_total', 'Events of the open project since it was opened.', events.lastSeq),
    counter('loopcheck_events_dropped_total', 'Events that gave way to newer ones.', events.dropped),
    gauge('loopcheck_stream_readers', 'Readers of the stream of events now.', readers),
    counter('loopcheck_stream_missed_total', 'Times that a reader of the stream was told that it missed something.', missed),
    counter('loopcheck_stream_disconnected_total', 'Readers of the stream that were disconnected because they took nothing.', disconnected),
  ];
}

function ofPublishers({ publishers }: ProjectSession): Family[] {
  const all = publishers.list();
  const family = (type: Family['type'], name: string, help: string, pick: (one: (typeof all)[number]) => number): Family => ({
    name: `loopcheck_publisher_${name}`,
    help,
    type,
    samples: all.map((one) => ({ labels: { id: String(one.settings.id), publisher: one.settings.name }, value: pick(one) })),
  });
  return [
    family('gauge', 'up', '1: the publisher reaches its target.', ({ state }) => Number(state.state === 'running')),
    family('counter', 'sent_total', 'Records that the target took since the publisher was started.', ({ state }) => state.sent),
    family('gauge', 'waiting', 'Records that wait, in memory and on the disk.', ({ state }) => state.waiting),
    family('counter', 'lost_total', 'Records that gave way to newer ones or were refused.', ({ state }) => state.lost),
    family('counter', 'failures_total', 'Connections that failed or were lost.', ({ state }) => state.failures),
    family('gauge', 'buffer_bytes', 'Room that its records take on the disk.', ({ buffer }) => buffer?.octets ?? 0),
  ];
}

const TASKS: readonly TaskKind[] = ['automatic', 'manual'];

function ofChannels(channels: readonly ChannelRuntime[]): Family[] {
  const family = (type: Family['type'], name: string, help: string, values: ChannelValues): Family => ({
    name: `loopcheck_channel_${name}`,
    help,
    type,
    samples: channels.flatMap((channel) =>
      values(channel).map(({ labels, value }) => ({ labels: { channel: channel.settings.name, ...labels }, value })),
    ),
  });
  const states = new Map(channels.map((channel) => [channel, channel.state()]));
  const health = (pick: (counts: NonNullable<ReturnType<typeof states.get>>['health']) => number | null): ChannelValues => {
    return (channel) => {
      const state = states.get(channel);
      const value = state ? pick(state.health) : null;
      return value === null ? [] : [{ labels: {}, value }];
    };
  };
  return [
    family('gauge', 'info', 'Channel with its id and protocol; always 1.', ({ id, driver }) => [
      { labels: { channel_id: String(id), protocol: driver.descriptor.key }, value: 1 },
    ]),
    family('gauge', 'status', '1 for the status that the channel has, 0 for the others.', (channel) =>
      oneOf(CHANNEL_STATUSES, states.get(channel)?.status, 'status'),
    ),
    family('gauge', 'points', 'Points by quality of their value.', ({ points }) =>
      QUALITIES.map((quality) => ({ labels: { quality }, value: points.page({ quality }, 'id', 'asc', 0, 0).total })),
    ),
    family(
      'counter',
      'requests_total',
      'Requests sent, or received on a served channel, since it was started.',
      health(({ requests }) => requests),
    ),
    family(
      'counter',
      'responses_total',
      'Answers.',
      health(({ responses }) => responses),
    ),
    family(
      'counter',
      'timeouts_total',
      'Requests without an answer in time.',
      health(({ timeouts }) => timeouts),
    ),
    family(
      'counter',
      'refusals_total',
      'Answers that refuse.',
      health(({ refusals }) => refusals),
    ),
    family(
      'counter',
      'faults_total',
      'Octets that were no valid frame, and frames that broke a rule.',
      health(({ faults }) => faults),
    ),
    family(
      'counter',
      'late_responses_total',
      'Answers that came after their request had ended.',
      health(({ late }) => late),
    ),
    family(
      'counter',
      'reconnects_total',
      'Connections opened anew.',
      health(({ reconnects }) => reconnects),
    ),
    family(
      'counter',
      'sent_bytes_total',
      'Octets sent.',
      health(({ tx_bytes }) => tx_bytes),
    ),
    family(
      'counter',
      'received_bytes_total',
      'Octets received.',
      health(({ rx_bytes }) => rx_bytes),
    ),
    family(
      'gauge',
      'clients',
      'Peers that are connected to a served channel.',
      health(({ clients }) => clients),
    ),
    family(
      'gauge',
      'suspended_slaves',
      'Slaves that are left out after three timeouts in a row.',
      health(({ suspended }) => suspended.length),
    ),
    family(
      'gauge',
      'latency_seconds',
      'Median time from request to answer of the last exchanges.',
      health(({ latency_ms }) => (latency_ms === null ? null : latency_ms / 1000)),
    ),
    family('gauge', 'task_state', '1 for the state that the read task has, 0 for the others.', (channel) =>
      TASKS.flatMap((task) => oneOf(TASK_STATES, channel.taskSnapshot(task).state, 'state', { task })),
    ),
    family('counter', 'task_cycles_total', 'Completed rounds of the present task.', (channel) =>
      TASKS.map((task) => ({ labels: { task }, value: channel.taskSnapshot(task).cycle_count })),
    ),
    family('gauge', 'task_cycle_seconds', 'Time that the last completed round took.', (channel) =>
      TASKS.flatMap((task) => {
        const { last_cycle_ms } = channel.taskSnapshot(task);
        return last_cycle_ms === undefined ? [] : [{ labels: { task }, value: last_cycle_ms / 1000 }];
      }),
    ),
    family('gauge', 'task_failed_points', 'Points, or data sets, that failed in the present round.', (channel) =>
      TASKS.map((task) => ({ labels: { task }, value: channel.taskSnapshot(task).fail })),
    ),
  ];
}

function gauge(name: string, help: string, value: number, labels: Labels = {}): Family {
  return { name, help, type: 'gauge', samples: [{ labels, value }] };
}

function counter(name: string, help: string, value: number): Family {
  return { name, help, type: 'counter', samples: [{ labels: {}, value }] };
}

/** 1 for the word that holds, 0 for the others. */
function oneOf(words: readonly string[], holds: string | undefined, label: string, labels: Labels = {}): Sample[] {
  return words.map((word) => ({ labels: { ...labels, [label]: word }, value: Number(word === holds) }));
}
