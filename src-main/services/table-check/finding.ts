import type { TableRule } from '#shared/contract/point-files.ts';
import type { FindingSeverity } from '#shared/domain/table-findings.ts';
import type { MessageParams } from '#shared/messages/message.ts';
import type { DriverChannelSettings, NormalPoint, ProtocolDriver } from '../../drivers/spi/index.ts';
import type { DeviceModelView } from '../../drivers/spi/model.ts';
import type { Steps } from '../../platform/steps.ts';

/** Fields of a point as a mend leaves them. */
export type Mend = Partial<NormalPoint>;

/** What a rule has found at one point of a table. */
export interface RuleFinding {
  readonly rule: TableRule;
  readonly severity: FindingSeverity;
  readonly params: MessageParams;
  /** Place of the point in the table, from 0. */
  readonly at: number;
  /** The field it is about, by the name of the contract. */
  readonly field: string;
  /** What else it is about: the same for the same finding, another one when something else is found by the rule at this point. */
  readonly about: string;
  /** How it is put right where that is certain; null: somebody has to decide. */
  readonly mend: Mend | null;
}

/** Points that are looked at as one table. */
export interface LookedTable {
  readonly points: readonly NormalPoint[];
  readonly driver: ProtocolDriver;
  /** False for points that are only looked at for the sake of the others: nothing is told of them. */
  isOwn(at: number): boolean;
}

/** What the rules need that look at the channel as well. */
export interface ChannelTable extends LookedTable {
  readonly settings: DriverChannelSettings;
  readonly model: DeviceModelView | null;
  /** What a slave takes to begin its answer, in milliseconds; null where nothing was measured. */
  turnRoundMs(slaveId: number): number | null;
}

/** Takes what a rule has found. */
export type Tell = (finding: RuleFinding) => void;

/** A rule, or rules that look at the same things. Pure; the table is not changed while they look. */
export type Rule<Table> = (table: Table, tell: Tell) => Steps<void>;

/** Points that a rule looks at between two steps. */
export const POINTS_A_STEP = 256;
