import { TABLE_MEDIA_TYPES } from '#shared/contract/point-files.ts';
import { AppError } from '#shared/domain/errors.ts';
import type { PointConfig } from '../../drivers/spi.ts';
import { toDriverSettings } from '../../runtime/settings.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { Handlers } from '../handlers.ts';
import { findChannel } from '../lookup.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { tableSheets, templateSheets } from './export-table.ts';
import { importReport } from './import-report.ts';
import { planTable, readTableFile } from './import-table.ts';
import type { ModePlan, PresentTable } from './mode-plan.ts';
import type { SheetDraft, TableFormat } from './table-file.ts';
import { createTableThread, type TableThread } from './table-thread.ts';

type PointFileHandlers = Pick<Handlers, 'importPoints' | 'exportPoints' | 'pointsTemplate'>;

/** Point tables as files: preview, merge and replace, export, and the template. */
export function pointFileHandlers(deps: ServiceDeps, thread: TableThread = createTableThread()): PointFileHandlers {
  const session = () => deps.projects.current();
  const download = async (format: TableFormat, name: string, sheets: readonly SheetDraft[]) => ({
    name: `${name}.${format}`,
    mediaType: TABLE_MEDIA_TYPES[format],
    bytes: await thread.write(format, sheets),
  });
  return {
    async importPoints({ channel_id, mode, file }) {
      const channel = findChannel(session(), channel_id);
      const table = presentTable(channel);
      const upload = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
      const read = await readTableFile(upload, table, thread);
      const revision = channel.points.configRevision;
      const plans = await planTable(read, mode, presentTable(channel));
      const plan = mode === 'preview' ? null : plans[mode];
      const applied = plan !== null && plans.findings.errors.count === 0;
      if (applied) await apply(plan, channel, revision, session);
      return importReport(mode, applied, file.name, read, plans);
    },
    exportPoints({ channel_id, format = 'xlsx' }) {
      const { points, driver, settings } = findChannel(session(), channel_id);
      return download(format, fileName(settings.name), tableSheets(points.configs(), driver.descriptor, format));
    },
    pointsTemplate({ channel_id, format = 'xlsx' }) {
      const channel = channel_id === undefined ? null : findChannel(session(), channel_id);
      return download(format, 'point-table-template', templateSheets(channel?.driver.descriptor ?? null, format));
    },
  };
}

function presentTable(channel: ChannelRuntime): PresentTable {
  const { driver, points } = channel;
  return { driver, settings: toDriverSettings(channel.settings, driver), points: points.configs(), model: channel.model() };
}

/** Carries out a plan, all or none. Throws `STATE_CONFLICT` when the table is not the one any more that the plan was made for. */
async function apply(plan: ModePlan, channel: ChannelRuntime, revision: number, session: () => ProjectSession): Promise<void> {
  const swap = () => {
    if (session().channels.get(channel.id) !== channel || channel.points.configRevision !== revision) {
      const name = channel.settings.name;
      throw new AppError(
        'STATE_CONFLICT',
        `The point table of "${name}" was changed while the file was read; nothing was imported. Send it again.`,
      );
    }
    const removed = plan.removed.map((point) => point.id);
    const changed = plan.changed.flatMap(({ point, before }): PointConfig[] => {
      return before ? [{ ...point, id: before.id, channelId: channel.id }] : [];
    });
    const added = session().store.points.change(channel.id, { removed, changed, added: plan.added.map(({ point }) => point) });
    channel.points.remove(removed);
    for (const point of changed) channel.points.update(point);
    channel.points.add(added);
  };
  if (plan.mode === 'replace') return channel.replacePoints(swap);
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
