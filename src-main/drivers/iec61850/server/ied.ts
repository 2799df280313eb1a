/** The simulated device, whoever its clients are: model, values, data sets, report blocks, setting groups and files. */

import type { Clock } from '../../../platform/clock.ts';
import type { Identity, IedModel } from '../model/ied-model.ts';
import { VariableAccess } from './access.ts';
import { DataSets } from './data-sets.ts';
import { FileStore, type ServedFile } from './file-store.ts';
import { ServedImage } from './image.ts';
import { NameSpace } from './name-space.ts';
import type { ReportClient } from './reports/report-client.ts';
import { ServedReports } from './reports/served-reports.ts';
import type { ServedDevice } from './services.ts';
import { SettingGroups } from './setting-groups.ts';

/** What a simulated device is made of. */
export interface SimulatedIedOptions {
  readonly model: IedModel;
  readonly identity: Identity;
  readonly files: readonly ServedFile[];
  /** See `AccessOptions.failing`. */
  readonly accessErrors: ReadonlyMap<string, number>;
  readonly clock: Clock;
  /** A client has written; keys of the leaves that have a new value. */
  onWritten(keys: readonly string[]): void;
  /** A client has changed what outlasts its association without being a variable of its own: settings of groups and of buffered report blocks; places of the values. */
  onConfigured?(places: readonly string[]): void;
  /** The members of a data set are others, whose reports a client takes; its association is to end. */
  onRenewed?(client: ReportClient): void;
}

/** The device that all clients share. */
export class SimulatedIed implements ServedDevice {
  readonly identity: Identity;
  readonly image: ServedImage;
  readonly access: VariableAccess;
  readonly dataSets: DataSets;
  readonly reports: ServedReports;
  readonly files: FileStore;
  readonly #groups: SettingGroups;
  #names: NameSpace;

  constructor({ model, identity, files, accessErrors, clock, onWritten, onConfigured, onRenewed }: SimulatedIedOptions) {
    this.identity = identity;
    const configured = (places: readonly string[]) => onConfigured?.(places);
    const groups = new SettingGroups({ clock, onChanged: configured });
    this.#groups = groups;
    this.image = new ServedImage(model, (key, constraint) => groups.keyOfLeaf(key, constraint));
    this.dataSets = new DataSets(model);
    this.reports = new ServedReports({
      image: this.image,
      dataSets: this.dataSets,
      clock,
      read: (item) => this.access.read(item, null),
      onConfigured: configured,
      onRenewed: (client) => onRenewed?.(client),
    });
    this.access = new VariableAccess({ image: this.image, groups, reports: this.reports, failing: accessErrors, onWritten });
    this.files = new FileStore(files);
    this.#names = new NameSpace(model);
    this.start();
  }

  get names(): NameSpace {
    return this.#names;
  }

  /** Setting groups and report blocks begin anew with the values that the image has now. */
  start(): void {
    this.#groups.start(this.image);
    this.reports.restart();
  }

  /** Takes over another model; values of variables that stay are kept. */
  update(model: IedModel): void {
    this.image.update(model);
    this.dataSets.update(model);
    this.#names = new NameSpace(model);
    this.#groups.start(this.image);
    this.reports.update();
  }

  /** The association of a client has ended. */
  left(client: ReportClient): void {
    this.reports.left(client);
    this.#groups.left(client);
  }

  /** Nothing happens by itself any more. */
  close(): void {
    this.reports.close();
    this.#groups.close();
  }
}
