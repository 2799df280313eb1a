import { i18n } from '../i18n/index.ts';

/** Where a command works. */
export const WHERE = ['everywhere', 'channel', 'points', 'frames', 'events', 'model', 'unknown', 'areas'] as const;
export type Where = (typeof WHERE)[number];

/** A command as it is told while nothing on the screen offers it. */
export interface KnownCommand {
  readonly id: string;
  /** Id under which a chosen key is kept; left out: its own. */
  readonly keyId?: string;
  readonly words: string;
  /** The usual key. */
  readonly key?: string;
  readonly where: Where;
}

/** Commands that come and go with a view, in the language of the page now: the key help names them while they are away. */
export function knownCommands(): readonly KnownCommand[] {
  const { t } = i18n;
  return [
    { id: 'read-once', words: t('commands:readOnce'), key: 'F5', where: 'channel' },
    { id: 'automatic', words: t('commands:startAuto'), key: 'mod+R', where: 'channel' },
    { id: 'tab points', words: t('commands:view', { view: t('app:tab.points') }), key: 'mod+1', where: 'channel' },
    { id: 'close-beside', words: t('commands:closeBeside'), where: 'areas' },
    { id: 'find', words: t('commands:find'), key: 'mod+F', where: 'points' },
    { id: 'inspector', words: t('commands:inspector'), key: 'F4', where: 'points' },
    { id: 'point-frames', words: t('commands:pointFrames'), key: 'F12', where: 'points' },
    { id: 'add-point', words: t('commands:addPoint'), key: 'Insert', where: 'points' },
    { id: 'import-points', words: t('commands:importPoints'), key: 'alt+I', where: 'points' },
    { id: 'export-points', words: t('files:exportXlsx'), key: 'mod+E', where: 'points' },
    { id: 'read-point', words: t('commands:readPoint'), where: 'points' },
    { id: 'write-point', words: t('points:action.write'), key: 'F7', where: 'points' },
    { id: 'edit-points', words: t('commands:editPoints'), key: 'F2', where: 'points' },
    { id: 'delete-points', words: t('commands:deletePoints'), where: 'points' },
    { id: 'fill-down', words: t('edit:fill.command'), key: 'mod+D', where: 'points' },
    { id: 'duplicate-points', words: t('edit:duplicate.command'), where: 'points' },
    { id: 'move-points', words: t('edit:move.command'), where: 'points' },
    { id: 'replace-text', words: t('edit:find.command'), key: 'mod+H', where: 'points' },
    { id: 'paste-points', words: t('edit:paste.command'), where: 'points' },
    { id: 'undo-points', words: t('edit:undo'), key: 'mod+Z', where: 'points' },
    { id: 'redo-points', words: t('edit:redo'), key: 'mod+Y', where: 'points' },
    { id: 'point-history', words: t('edit:history.command'), where: 'points' },
    { id: 'table-check', words: t('tables:check.command'), key: 'mod+F7', where: 'points' },
    { id: 'try-table', words: t('tables:device.command'), where: 'points' },
    { id: 'compare-tables', words: t('tables:compare.command'), where: 'points' },
    { id: 'setpoints', words: t('setpoints:title'), where: 'points' },
    { id: 'find-frames', keyId: 'find', words: t('commands:findFrames'), key: 'mod+F', where: 'frames' },
    { id: 'find-events', keyId: 'find', words: t('commands:findEvents'), key: 'mod+F', where: 'events' },
    { id: 'export-events', keyId: 'export-points', words: t('events:export'), key: 'mod+E', where: 'events' },
    { id: 'find-model', keyId: 'find', words: t('commands:findModel'), key: 'mod+F', where: 'model' },
    { id: 'add-from-model', words: t('commands:addFromModel'), key: 'Insert', where: 'model' },
    { id: 'add-unknown', words: t('commands:addUnknown'), key: 'Insert', where: 'unknown' },
  ];
}

const BY_ID = new Map<string, Where>();

/** Where a command on the screen works: as it is known, else by its group. */
export function whereOf(id: string, group: string): Where {
  if (BY_ID.size === 0) for (const { id: known, where } of knownCommands()) BY_ID.set(known, where);
  const where = BY_ID.get(id);
  if (where) return where;
  if (id.startsWith('tab ')) return 'channel';
  return group === 'points' ? 'points' : 'everywhere';
}
