import type { Channel } from '#shared/contract/channels.ts';
import { DEFAULT_DRAFT } from '../reading/task-config.ts';
import { type StartObstacle, useReading } from '../reading/use-reading.ts';

/** What reads one data set: a round now, or an automatic task for it alone. */
export interface DataSetReads {
  readonly obstacle: StartObstacle | null;
  /** True while the automatic task reads this data set. */
  readonly isAutomatic: boolean;
  readOnce(): void;
  startAutomatic(): void;
  stopAutomatic(): void;
}

/** Read tasks for one data set; they are those of the reading bar, with the mode and the data set filled in. */
export function useDataSetReads(channel: Channel, dataSet: string): DataSetReads {
  const reading = useReading(channel);
  const { auto, draft } = reading;
  const wanted = { ...DEFAULT_DRAFT, cycleMs: draft.cycleMs, mode: 'dataset' as const, item: dataSet };
  const isRunning = auto?.state === 'running' && auto.config.mode === 'dataset';
  return {
    obstacle: reading.obstacle,
    isAutomatic: isRunning && (auto.config.item === '' || auto.config.item === dataSet),
    readOnce: () => reading.readOnce(wanted),
    startAutomatic: () => reading.startAuto(wanted),
    stopAutomatic: reading.stopAuto,
  };
}
