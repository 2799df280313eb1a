import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import type { DriverChannelSettings, NormalPoint, ProtocolDriver } from '../../../drivers/spi/index.ts';
import { testPoint } from '../../../drivers/testing/points.ts';
import { runSteps } from '../../../platform/steps.ts';
import { CHANNEL } from '../../point-files/testing/tables.ts';
import { checkPoints } from '../check-points.ts';
import type { RuleFinding } from '../finding.ts';

/** How a table is looked at. */
export interface Asked {
  readonly driver?: ProtocolDriver;
  readonly settings?: Partial<DriverChannelSettings>;
  readonly turnRoundMs?: number | null;
  /** Places of points that are looked at for the sake of the others. */
  readonly others?: readonly number[];
}

/** Points P0, P1 … of names of their own at addresses 0, 10 …, with these changes. */
export function pointsOf(changes: readonly Partial<NormalPoint>[], driver: ProtocolDriver = modbusTcpDriver): NormalPoint[] {
  return changes.map((change, at) => {
    const {
      id: _,
      channel_id: __,
      ...point
    } = testPoint({ code: `P${at}`, name: `point ${String.fromCharCode(97 + at)}`, address: at * 10 });
    return driver.normalizePoint({ ...point, func_code: undefined, ...change } as never, CHANNEL).point;
  });
}

export function findings(
  points: readonly NormalPoint[],
  { driver = modbusTcpDriver, settings = {}, turnRoundMs = null, others = [] }: Asked = {},
) {
  const table = {
    points,
    driver,
    settings: { ...CHANNEL, ...settings },
    model: null,
    isOwn: (at: number) => !others.includes(at),
    turnRoundMs: () => turnRoundMs,
  };
  return runSteps(checkPoints(table));
}

/** `severity rule code mend` of each finding. */
export function told(changes: readonly Partial<NormalPoint>[], asked: Asked = {}): string[] {
  const points = pointsOf(changes, asked.driver);
  return findings(points, asked).listed.map(({ rule, severity, at, mend }) =>
    [severity, rule, points[at]?.code, mend ? JSON.stringify(mend) : ''].join(' ').trim(),
  );
}

/** Findings of one rule with all that is said of them. */
export function toldOf(rule: RuleFinding['rule'], changes: readonly Partial<NormalPoint>[], asked: Asked = {}): RuleFinding[] {
  return findings(pointsOf(changes, asked.driver), asked).listed.filter((each) => each.rule === rule);
}
