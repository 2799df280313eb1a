/** The data sets of the simulated device as tasks on its own channel read them: from what is served, without I/O. */
import { AppError } from '#shared/domain/errors.ts';
import { beginOf, say } from '#shared/messages/index.ts';
import type { DataSetAccess, DataSetReading } from '../../spi/index.ts';
import type { BoundPoint } from '../binding.ts';
import { type DataSetLayout, layoutOf, readMembers } from '../data-set-layout.ts';
import { dataSetName } from '../model/references.ts';
import { memberKey } from '../object-names.ts';
import type { ServedDataSet } from './data-sets.ts';
import type { SimulatedIed } from './ied.ts';

/** Data sets that an error names one by one. */
const MOST_NAMED = 8;

export interface ServedDataSetsOptions {
  readonly device: Pick<SimulatedIed, 'dataSets' | 'access' | 'image'>;
  points(): readonly BoundPoint[];
}

/** Data sets of the model and those that clients defined in a domain; sets of an association belong to its client alone. */
export class ServedDataSets implements DataSetAccess {
  readonly #options: ServedDataSetsOptions;
  #layouts = new WeakMap<ServedDataSet, DataSetLayout>();

  constructor(options: ServedDataSetsOptions) {
    this.#options = options;
  }

  names(): readonly string[] {
    return this.#options.device.dataSets.all().map(({ name }) => name);
  }

  /** The point table or the model changed. */
  changed(): void {
    this.#layouts = new WeakMap();
  }

  /** Throws `CONFIG_NOT_FOUND` for a data set that is not served. */
  async read(asked: string): Promise<DataSetReading> {
    const { access, image } = this.#options.device;
    const set = this.#find(asked);
    const layout = this.#layoutOf(set);
    const { values, readings } = readMembers(
      layout,
      set.items.map((item) => access.read(item, null)),
      image.index,
    );
    return { values, readings };
  }

  #find(asked: string): ServedDataSet {
    const all = this.#options.device.dataSets.all();
    const wanted = dataSetName(asked) ?? asked;
    const found = all.find(({ name }) => name === wanted);
    if (found) return found.set;
    const name = wanted.slice(0, 80);
    const names = beginOf(
      all.map((set) => set.name),
      MOST_NAMED,
    );
    throw new AppError(
      'CONFIG_NOT_FOUND',
      all.length === 0 ? say('iec61850.served_no_sets', { name }) : say('iec61850.served_no_set', { name, names }),
    );
  }

  #layoutOf(set: ServedDataSet): DataSetLayout {
    const known = this.#layouts.get(set);
    if (known) return known;
    const { device, points } = this.#options;
    const made = layoutOf(set.items.map(memberKey), device.image.index, points());
    this.#layouts.set(set, made);
    return made;
  }
}
