import type { CommandStateItem, CommandState as CommandStateRow } from '#shared/contract/points.ts';
import { asMessage, english } from '#shared/messages/index.ts';
import type { CommandState, CommandStateItem as StateItem } from '../drivers/spi/index.ts';
import { isoTime } from './rows.ts';

/** What stands before a command in the names of the contract; `at` is when the device said it. */
export function stateRow({ items, steps, missingOptions, selection, obstacle }: CommandState, at: number): CommandStateRow {
  return {
    read_at: isoTime(at),
    items: items.map(stateItemRow),
    steps: [...steps],
    missing_options: [...missingOptions],
    selection: selection && { remaining_ms: selection.remainingMs, is_endless: selection.isEndless },
    obstacle: obstacle === null ? null : english(obstacle),
    obstacle_message: obstacle === null ? null : asMessage(obstacle),
  };
}

/** One thing that a device said of itself, in the names of the contract. */
export function stateItemRow({ name, label, value, remark }: StateItem): CommandStateItem {
  return {
    name,
    label: english(label),
    label_message: asMessage(label),
    value: english(value),
    value_message: asMessage(value),
    remark: remark === null ? null : english(remark),
    remark_message: remark === null ? null : asMessage(remark),
  };
}
