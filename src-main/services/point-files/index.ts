import { setImmediate as nextTurn } from 'node:timers/promises';
import { TABLE_MEDIA_TYPES } from '#shared/contract/point-files.ts';
import { AppError } from '#shared/domain/errors.ts';
import { configsInTurns } from '../../runtime/configs-in-turns.ts';
import { toDriverSettings } from '../../runtime/settings.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { Handlers } from '../handlers.ts';
import { findChannel } from '../lookup.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { templateSheets } from './export-table.ts';
import type { TableFormat } from './table-file.ts';
import { writeTable } from './table-formats.ts';
import type { ImportMode, TableChangeSet } from './table-work.ts';

type PointFileHandlers = Pick<Handlers, 'importPoints' | 'exportPoints' | 'pointsTemplate'>;

/** Point tables as files: preview, merge and replace, export, and the template. */
export function pointFileHandlers(deps: ServiceDeps): PointFileHandlers {
  const session = () => deps.projects.current();
  const download = (format: TableFormat, name: string, bytes: Uint8Array) => ({
    name: `${name}.${format}`,
    mediaType: TABLE_MEDIA_TYPES[format],
    bytes,
  });
  return {
    async importPoints({ channel_id, mode, file }) {
      const channel = findChannel(session(), channel_id);
      const upload = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
      const points = await configsInTurns(channel.points, nextTurn);
      const revision = channel.points.configRevision;
      const settings = toDriverSettings(channel.settings, channel.driver);
      const table = { driver: channel.driver, settings, points, model: channel.model() };
      const { report, change } = await deps.tables.import(upload, mode, table);
      if (change) await apply(change, mode, channel, revision, session);
      return report;
    },
    async exportPoints({ channel_id, format = 'xlsx' }) {
      const { points, driver, settings } = findChannel(session(), channel_id);
      const bytes = await deps.tables.export(format, driver, await configsInTurns(points, nextTurn));
      return download(format, fileName(settings.name), bytes);
    },
    async pointsTemplate({ channel_id, format = 'xlsx' }) {
      const channel = channel_id === undefined ? null : findChannel(session(), channel_id);
      const bytes = await writeTable(format, templateSheets(channel?.driver.descriptor ?? null, format));
      return download(format, 'point-table-template', bytes);
    },
  };
}

/** Carries out a change, all or none. Throws `STATE_CONFLICT` when the table is not the one any more that the change was planned for. */
async function apply(
  { removed, changed, added }: TableChangeSet,
  mode: ImportMode,
  channel: ChannelRuntime,
  revision: number,
  session: () => ProjectSession,
): Promise<void> {
  const swap = () => {
    if (session().channels.get(channel.id) !== channel || channel.points.configRevision !== revision) {
      const name = channel.settings.name;
      throw new AppError(
        'STATE_CONFLICT',
        `The point table of "${name}" was changed while the file was read; nothing was imported. Send it again.`,
      );
    }
    const stored = session().store.points.change(channel.id, { removed, changed, added });
    channel.points.remove(removed);
    for (const point of changed) channel.points.update(point);
    channel.points.add(stored);
  };
  if (mode === 'replace') return channel.replacePoints(swap);
  swap();
  channel.pointsChanged();
}

/** The name of a channel as the beginning of a file name that every system takes. */
function fileName(channelName: string): string {
  return `${
    channelName
      .replace(/[^\p{L}\p{N} ._-]+/gu, '_')
      .slice(0, 80)
      .trim() || 'channel'
  }-points`;
}
