import { english } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { DriverLasting } from '../drivers/spi/index.ts';
import { projectSecrets } from '../persistence/project-secrets.ts';
import type { SettingsRepository, StoredChannel } from '../persistence/repositories.ts';
import { Turns } from '../platform/turns.ts';
import { VERSION } from '../platform/version.ts';
import { within } from '../platform/within.ts';
import { ChannelManager } from '../runtime/channel-manager.ts';
import { type EventHead, EventLog } from '../runtime/logs/event-log.ts';
import { ChangeCounter } from '../runtime/values/change-counter.ts';
import { enterAudit, NO_POINT } from '../services/audit-trail.ts';
import { Endings } from '../services/endings.ts';
import { Recorder } from '../services/history/recorder.ts';
import { JobBoard } from '../services/jobs/job-board.ts';
import { CommandJournal } from '../services/live/command-journal.ts';
import type { ChannelHub } from '../services/ports.ts';
import { removeUnfinished } from '../services/project-text/add-channels.ts';
import { Publishers } from '../services/publish/publishers.ts';
import { SeriesBook } from '../services/series/series-book.ts';
import { readSettings } from '../services/settings-store.ts';
import type { RunningSession, SessionOpener } from './project-sessions.ts';
import type { CorePorts } from './types.ts';

/** Tasks get 6 s to end and lines a little more; what has not ended then is abandoned. */
const CHANNELS_END_MS = 10_000;
/** What goes on by itself gets so long to come to its end: values are put back, results appended. */
const WORK_ENDS_MS = 20_000;
const REST_ENDS_MS = 2000;
/** The last recorded values get so long to be written. */
const RECORDING_ENDS_MS = 5000;
/** Connections to brokers get so long to end in order. */
const PUBLISHING_ENDS_MS = 2000;
/** All frame logs together, in octets, and the least one of them gets. */
const ALL_FRAME_LOGS = 256 * 1024 * 1024;
const LEAST_FRAME_LOG = 256 * 1024;

/**
 * Takes a project file into operation: store, event log and channels, all of them stopped. `secretsFile` holds the secrets of all projects;
 * `isForcedReadOnly` as the command line says.
 */
export function sessionOpener(ports: CorePorts, secretsFile: string, isForcedReadOnly: boolean): SessionOpener {
  return async (path, options) => {
    const store = await ports.openProject(path, options);
    try {
      const notTidied = (error: unknown) =>
        ports.logger.warn({ err: error, path }, 'what a killed process left in the project was not removed');
      const unfinished = removeUnfinished(store, notTidied);
      const { events_kept, audit_kept } = readSettings(store.settings);
      const events = new EventLog(events_kept);
      const enter = (of: Pick<EventHead, 'channelId' | 'kind'>, said: Message) =>
        void events.add({ ...of, ...NO_EVENT_POINT }, { ...NO_EVENT_VALUE, receivedAt: ports.clock.wallMs(), text: english(said), said });
      store.audit.keep(audit_kept);
      const secrets = projectSecrets(secretsFile, store, ports.newId);
      const changes = new ChangeCounter();
      const commands = new CommandJournal(changes);
      const series = new SeriesBook(store.series);
      const manager = new ChannelManager(
        {
          ...ports,
          events,
          seriesOf: (file) => series.find(file),
          documentOf: (id) => store.documents.read(id),
          deviceOf: ({ id, protocol_type, protocol }, device) => {
            const document = store.documents.packed(id);
            return document && ports.makeDevice(protocol_type, device, document, protocol);
          },
          secrets: (channelId) => secrets.read(channelId),
          lasting: (channelId) => lastingOf(store.settings, channelId),
          audit: (channel, name, params) =>
            enterAudit({ ...ports, audit: store.audit, commands }, channel, {
              ...NO_POINT,
              operation: { name, params: { ...params } },
              source: 'channel',
            }),
          isReadOnly: () => isForcedReadOnly || readSettings(store.settings).read_only,
        },
        changes,
      );
      await manager.load(store, new Turns().breathe, unfinished);
      for (const error of store.untidied()) notTidied(error);
      const channels = hubOf(manager, () => readSettings(store.settings).frame_log_bytes);
      const jobs = new JobBoard(ports);
      const endings = new Endings(ports.clock);
      const recorder = new Recorder({
        ...ports,
        store,
        channels,
        changes,
        notice: (channelId, said) => enter({ channelId, kind: 'channel' }, said),
      });
      const notice = (said: Message) => enter({ channelId: null, kind: 'system' }, said);
      const publishers = new Publishers({ ...ports, store, secrets, channels, changes, notice, version: VERSION });
      return {
        id: ports.newId(),
        store,
        secrets,
        channels,
        events,
        changes,
        commands,
        jobs,
        endings,
        recorder,
        series,
        publishers,
        ...operations(ports, manager, { jobs, endings, store, recorder, publishers }),
      };
    } catch (error) {
      store.close();
      throw error;
    }
  };
}

/** An event of a channel as a whole, or of the service. */
const NO_EVENT_POINT = { pointId: null, frameType: null, code: '' } as const;
const NO_EVENT_VALUE = { value: null, flags: [], deviceTime: null, detail: null } as const;

/** What the driver of a channel keeps, among the settings of the project; ids of channels are never used again. */
function lastingOf(settings: SettingsRepository, channelId: number): DriverLasting {
  const name = `driver_of_channel_${channelId}`;
  return { read: () => settings.read(name), write: (value) => settings.write(name, value) };
}

function operations(
  { clock, logger }: CorePorts,
  manager: ChannelManager,
  { jobs, endings, store, recorder, publishers }: Pick<RunningSession, 'jobs' | 'endings' | 'store' | 'recorder' | 'publishers'>,
): Pick<RunningSession, 'autoStart' | 'linesSuspect' | 'settle' | 'close'> {
  let closed: Promise<void> | null = null;
  const settleAll = (ms: number) =>
    endings.settle(ms).catch((error) => logger.error({ err: error, path: store.path }, 'what was found out could not be kept'));
  async function end(): Promise<void> {
    manager.watchClock(false);
    // while the lines still stand
    await settleAll(WORK_ENDS_MS);
    const ended = await within(clock, CHANNELS_END_MS, Promise.all([jobs.close(), manager.unload()])).catch((error) => {
      logger.error({ err: error }, 'channels were not stopped in order');
      return true;
    });
    if (!ended) logger.error({ waitedMs: CHANNELS_END_MS }, 'channels did not stop in time and were abandoned');
    // what had to wait for its line knows by now that it is gone
    await settleAll(REST_ENDS_MS);
    await within(clock, PUBLISHING_ENDS_MS, publishers.close());
    await within(clock, RECORDING_ENDS_MS, recorder.close()).catch((error) =>
      logger.error({ err: error, path: store.path }, 'the last recorded values were not written'),
    );
    store.close();
  }
  return {
    autoStart() {
      manager.watchClock(true);
      const damaged = store.damagedChannels();
      if (damaged.length > 0) logger.error({ channels: damaged }, 'channels are not as they were stored, and are not started');
      manager.startAutoStart(damaged).catch((error) => logger.error({ err: error }, 'channels were not started'));
    },
    linesSuspect: (reason, pauseMs) => manager.connectionsSuspect(reason, pauseMs),
    settle: () => endings.settle(WORK_ENDS_MS),
    close() {
      closed ??= end();
      return closed;
    },
  };
}

/** The channel manager as the services see it, with frame logs of the size that the settings ask for. */
function hubOf(manager: ChannelManager, frameLogBytes: () => number): ChannelHub {
  const resize = (bytes: number) => {
    const channels = manager.list();
    const share = Math.max(LEAST_FRAME_LOG, Math.floor(ALL_FRAME_LOGS / Math.max(1, channels.length)));
    for (const channel of channels) channel.frames.resize(Math.min(bytes, share));
  };
  resize(frameLogBytes());
  return {
    list: () => manager.list(),
    get: (id) => manager.get(id),
    byName: (name) => manager.byName(name),
    add(channel: StoredChannel) {
      const added = manager.add(channel);
      resize(frameLogBytes());
      return added;
    },
    async stage(channels, breathe) {
      const show = await manager.stage(channels, breathe);
      return () => {
        show();
        resize(frameLogBytes());
      };
    },
    async remove(id) {
      await manager.remove(id);
      resize(frameLogBytes());
    },
    holdPort: (port, holder) => manager.holdPort(port, holder),
    resizeFrameLogs: resize,
  };
}
