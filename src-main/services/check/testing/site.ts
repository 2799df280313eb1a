import type { CheckVerdict } from '#shared/domain/check.ts';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import type { PointConfig } from '../../../drivers/spi/index.ts';
import { testPoint } from '../../../drivers/testing/points.ts';
import type { StoredCheckItem } from '../../../persistence/check-repositories.ts';
import { channelSettings } from '../../../runtime/testing/harness.ts';
import type { ProjectSession } from '../../ports.ts';
import { canonical } from '../chain.ts';
import type { Mark } from '../check-book.ts';
import { mappingOf } from '../mapping.ts';

/** The item of the point of a site. */
export const ITEM: StoredCheckItem = {
  ...{ uuid: 'u', place: 1, service: '', channelId: 1, pointId: 7, frameType: 0, channel: 'C', code: 'P', name: '', group: '' },
  expectation: { kind: 'values', references: [] },
};
/** A project of one channel with one point; both can be edited or go. */
export class Site {
  point: PointConfig | undefined = testPoint({ id: 7, code: 'P', address: 5 });
  settings = channelSettings();
  isChannelThere = true;
  #configRevision = 1;
  readonly session: ProjectSession;

  constructor() {
    const site = this;
    const points = {
      config: (id: number) => (id === 7 ? this.point : undefined),
      get configRevision() {
        return site.#configRevision;
      },
    };
    const channel = {
      ...{ id: 1, points, driver: modbusTcpDriver },
      get settings() {
        return site.settings;
      },
    };
    this.session = {
      channels: { get: (id: number) => (this.isChannelThere && id === 1 ? channel : undefined) },
    } as unknown as ProjectSession;
  }

  edit(change: Partial<PointConfig>): void {
    this.point = this.point && { ...this.point, ...change };
    this.#configRevision += 1;
  }

  /** A result of the point as it is now. */
  mark(verdict: CheckVerdict): Mark {
    const { settings, point } = this;
    if (!point) throw new RangeError('the point is gone');
    const mapping = canonical(mappingOf({ channel: { settings, driver: modbusTcpDriver, service: null }, point }));
    return { part: 'p', seq: 1, orderAt: '', verdict, mapping };
  }
}
