import type { EventEntry } from '#shared/contract/events.ts';
import { api } from '../../api/client.ts';
import type { GridColumn } from '../../ui/data-grid/column.ts';
import { toCsv } from '../../ui/data-grid/tsv.ts';
import { saveFile } from '../../ui/save-file.ts';
import { shortNumber } from '../points/point-text.ts';
import { valuesBefore } from './events-feed.ts';

/** Most entries that the service gives in one answer. */
const MOST = 2000;

interface Saved {
  readonly channelId: number;
  /** Of the channel, for the name of the file. */
  readonly name: string;
  readonly columns: readonly GridColumn<EventEntry>[];
  passes(event: EventEntry): boolean;
}

/** Every event of a channel and of the service itself that the service keeps, the oldest first. */
async function allEvents(channel_id: number): Promise<readonly EventEntry[]> {
  const all: EventEntry[] = [];
  for (let after_seq = 0; ; ) {
    const { data } = await api.call('listEvents', { channel_id, system: 'true', after_seq, limit: MOST });
    all.push(...data.items);
    const last = data.items.at(-1)?.seq;
    if (last === undefined || data.items.length < MOST) return all;
    after_seq = last;
  }
}

/** Saves the events that pass the filters as a csv file with all columns; times in it are exact, in the zone that is shown. */
export async function saveEvents({ channelId, name, columns, passes }: Saved): Promise<void> {
  const all = await allEvents(channelId);
  // the page knows of fewer
  const before = valuesBefore(all);
  const textOf = ({ id, text }: GridColumn<EventEntry>, event: EventEntry) => {
    const value = before.get(event.seq);
    return id === 'before' ? (value === undefined ? '' : shortNumber(value)) : (text?.(event) ?? '');
  };
  const told = columns.filter((column) => column.text !== undefined);
  const rows = all.filter(passes).map((event) => told.map((column) => textOf(column, event)));
  const bytes = toCsv(
    told.map((column) => column.name),
    rows,
  );
  saveFile({ name: `events ${name.replace(/[\\/:*?"<>|]/g, '_')}.csv`, bytes, mediaType: 'text/csv' });
}
