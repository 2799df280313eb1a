import { TABLE_MEDIA_TYPES } from '#shared/contract/point-files.ts';
import { Turns } from '../../platform/turns.ts';
import { toDriverSettings } from '../../runtime/settings.ts';
import { configsInTurns } from '../../runtime/values/configs-in-turns.ts';
import { fileName } from '../file-name.ts';
import type { Handlers } from '../handlers.ts';
import { findChannel } from '../lookup.ts';
import { allProfiles } from '../mapping-profiles/index.ts';
import { importName } from '../point-changes/step-name.ts';
import type { ServiceDeps } from '../ports.ts';
import { isoTime } from '../rows.ts';
import type { TableChanges } from '../table-changes.ts';
import { templateSheets } from './export-table.ts';
import type { TableFormat } from './table-file.ts';
import { writeTable } from './table-formats.ts';

type PointFileHandlers = Pick<Handlers, 'importPoints' | 'exportPoints' | 'pointsTemplate' | 'analyseList'>;

/** Point tables as files: preview, merge and replace, export, and the template. */
export function pointFileHandlers(deps: ServiceDeps, tables: TableChanges): PointFileHandlers {
  const session = () => deps.projects.current();
  const download = (format: TableFormat, name: string, bytes: Uint8Array) => ({
    name: `${name}.${format}`,
    mediaType: TABLE_MEDIA_TYPES[format],
    bytes,
  });
  return {
    async importPoints({ channel_id, mode, pasted, impossible_bits, mapping, file }, { source }) {
      const channel = findChannel(session(), channel_id);
      const isPaste = pasted !== undefined;
      const upload = {
        name: file.name,
        bytes: new Uint8Array(await file.arrayBuffer()),
        ...(isPaste ? { pasted: PASTED_TYPES[pasted] } : {}),
        ...(impossible_bits === undefined ? {} : { impossibleBits: impossible_bits }),
        ...(mapping === undefined ? {} : { list: { mapping, profiles: allProfiles(deps.mappingFiles) } }),
      };
      const planned = async () => {
        await channel.modelReady();
        const points = await configsInTurns(channel.points, new Turns().breathe);
        const settings = toDriverSettings(channel.settings, channel.driver);
        return deps.tables.import(upload, mode, { driver: channel.driver, settings, points, model: channel.model() });
      };
      if (mode === 'preview') return (await planned()).report;
      return tables.run(channel, async (turns) => {
        const { report, change } = await planned();
        const isReplace = mode === 'replace';
        const name = importName(file.name, { isReplace, isPaste });
        const step = { at: isoTime(deps.clock.wallMs()), source, name };
        if (change) await tables.make([{ channel, change }], step, turns, { stopsTasks: isReplace });
        return report;
      });
    },
    async analyseList({ channel_id, file, mapping = {} }) {
      const { driver, settings } = findChannel(session(), channel_id);
      const bytes = new Uint8Array(await file.arrayBuffer());
      const list = { name: file.name, bytes, mapping, profiles: allProfiles(deps.mappingFiles) };
      return deps.tables.analyse(list, driver, toDriverSettings(settings, driver));
    },
    async exportPoints({ channel_id, format = 'xlsx' }) {
      const { points, driver, settings } = findChannel(session(), channel_id);
      const bytes = await deps.tables.export(format, driver, await configsInTurns(points, new Turns().breathe));
      return download(format, `${fileName(settings.name, 'channel')}-points`, bytes);
    },
    async pointsTemplate({ channel_id, format = 'xlsx' }) {
      const channel = channel_id === undefined ? null : findChannel(session(), channel_id);
      const bytes = await writeTable(format, templateSheets(channel?.driver.descriptor ?? null, format));
      return download(format, 'point-table-template', bytes);
    },
  };
}

/** Types of pasted rows that name none, by what the request says. */
const PASTED_TYPES = { all: null, '0': 0, '1': 1, '2': 2, '3': 3 } as const;
