/** The simulated device, whoever its clients are: model, values, data sets, setting groups and files. */
import type { Identity, IedModel } from '../model/ied-model.ts';
import { VariableAccess } from './access.ts';
import { DataSets } from './data-sets.ts';
import { FileStore, type ServedFile } from './file-store.ts';
import { ServedImage } from './image.ts';
import { NameSpace } from './name-space.ts';
import type { ServedDevice } from './services.ts';
import { SettingGroups } from './setting-groups.ts';

/** What a simulated device is made of. */
export interface SimulatedIedOptions {
  readonly model: IedModel;
  readonly identity: Identity;
  readonly files: readonly ServedFile[];
  /** See `AccessOptions.failing`. */
  readonly accessErrors: ReadonlyMap<string, number>;
  /** UTC milliseconds. */
  now(): number;
  /** A client has written; keys of the leaves that have a new value. */
  onWritten(keys: readonly string[]): void;
}

/** The device that all clients share. */
export class SimulatedIed implements ServedDevice {
  readonly identity: Identity;
  readonly image: ServedImage;
  readonly access: VariableAccess;
  readonly dataSets: DataSets;
  readonly files: FileStore;
  readonly #groups = new SettingGroups();
  #names: NameSpace;

  constructor({ model, identity, files, accessErrors, now, onWritten }: SimulatedIedOptions) {
    this.identity = identity;
    this.image = new ServedImage(model, (key, constraint) => this.#groups.keyOfLeaf(key, constraint));
    this.access = new VariableAccess({ image: this.image, groups: this.#groups, failing: accessErrors, now, onWritten });
    this.dataSets = new DataSets(model);
    this.files = new FileStore(files);
    this.#names = new NameSpace(model);
    this.#groups.start(this.image);
  }

  get names(): NameSpace {
    return this.#names;
  }

  /** Takes over another model; values of variables that stay are kept. */
  update(model: IedModel): void {
    this.image.update(model);
    this.dataSets.update(model);
    this.#names = new NameSpace(model);
    this.#groups.start(this.image);
  }
}
