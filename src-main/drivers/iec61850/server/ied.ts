/** The simulated device, whoever its clients are: model, values, controls, data sets, report blocks, logs, setting groups and files. */
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import { runSteps, type Steps } from '../../../platform/steps.ts';
import type { Identity, IedModel } from '../model/ied-model.ts';
import { ModelIndex } from '../model/places.ts';
import { type AccessClient, VariableAccess } from './access.ts';
import { followModes } from './behaviour.ts';
import type { ControlRequest } from './control/control-request.ts';
import { type ControlRules, PLAIN_RULES } from './control/control-rules.ts';
import type { ControlledObject } from './control/controlled-object.ts';
import { ServedControls } from './control/served-controls.ts';
import { DataSets, type ModelSets, modelSets } from './data-sets.ts';
import { FileStore, type ServedFile } from './file-store.ts';
import { type ControlBlocks, ServedImage } from './image.ts';
import { logBlocks, ServedLogs } from './logs/served-logs.ts';
import { NameSpace } from './name-space.ts';
import type { ReportClient } from './reports/report-client.ts';
import { reportBlocks, ServedReports } from './reports/served-reports.ts';
import type { ServedDevice } from './services.ts';
import { SettingGroups } from './setting-groups.ts';

/** What a simulated device is made of. */
export interface SimulatedIedOptions {
  readonly model: IedModel;
  /** Places in the model, where they are known already. */
  readonly index?: ModelIndex;
  readonly identity: Identity;
  readonly files: readonly ServedFile[];
  /** See `AccessOptions.failing`. */
  readonly accessErrors: ReadonlyMap<string, number>;
  readonly clock: Clock;
  /** Left out: everything that the standard lets clients write. */
  readonly writable?: ReadonlySet<string>;
  /** Left out: controls are done right, at once. */
  readonly controlRules?: ControlRules;
  /** A client has written; keys of the leaves that have a new value. */
  onWritten(keys: readonly string[]): void;
  /** A client has changed what outlasts its association without being a variable of its own: settings of groups and of buffered report blocks; places of the values. */
  onConfigured?(places: readonly string[]): void;
  /** Buffered report blocks or logs have other entries. */
  onEntries?(): void;
  /** The members of a data set are others, whose reports a client takes; its association is to end. */
  onRenewed?(client: ReportClient): void;
  /** A client has operated an object. */
  onCommand?(object: ControlledObject, request: ControlRequest): void;
  /** What is seen on the wire alone otherwise. */
  notice?(said: Message): void;
}

/** A model that is about to be served, with what is found in it once. */
export interface NextModel {
  readonly index: ModelIndex;
  readonly sets: ModelSets;
  readonly reports: ControlBlocks;
  readonly logs: ControlBlocks;
}

/** Functional constraints that the standard lets clients write, controls and control blocks aside. */
const WRITABLE: ReadonlySet<string> = new Set(['SP', 'SE', 'SV', 'CF', 'DC', 'BL']);

/** The device that all clients share; reports and logs are there from its start on. */
export class SimulatedIed implements ServedDevice {
  readonly identity: Identity;
  readonly image: ServedImage;
  readonly access: VariableAccess;
  readonly controls: ServedControls;
  readonly dataSets: DataSets;
  readonly reports: ServedReports;
  readonly logs: ServedLogs;
  readonly files: FileStore;
  readonly #groups: SettingGroups;
  readonly #clock: Clock;
  #names: NameSpace;

  constructor(options: SimulatedIedOptions) {
    const { model, identity, files, accessErrors, clock, writable = WRITABLE } = options;
    const onWritten = (keys: readonly string[]) => options.onWritten([...keys, ...this.follow(keys)]);
    const onConfigured = (places: readonly string[]) => options.onConfigured?.(places);
    this.identity = identity;
    this.#clock = clock;
    const groups = new SettingGroups({ clock, onChanged: onConfigured });
    this.#groups = groups;
    this.image = new ServedImage(options.index ?? new ModelIndex(model), (key, constraint) => groups.keyOfLeaf(key, constraint));
    this.controls = new ServedControls({
      image: this.image,
      clock,
      rules: options.controlRules ?? PLAIN_RULES,
      onWritten,
      onCommand: (object, request) => options.onCommand?.(object, request),
      notice: (said) => options.notice?.(said),
    });
    this.dataSets = new DataSets(model);
    this.reports = new ServedReports({
      image: this.image,
      dataSets: this.dataSets,
      clock,
      read: (item) => this.access.read(item, null),
      onConfigured,
      onEntries: () => options.onEntries?.(),
      onRenewed: (client) => options.onRenewed?.(client),
    });
    this.logs = new ServedLogs({
      image: this.image,
      dataSets: this.dataSets,
      clock,
      watch: this.reports.watch,
      read: (item) => this.access.read(item, null),
      onConfigured,
      onEntries: () => options.onEntries?.(),
    });
    this.access = new VariableAccess({
      image: this.image,
      groups,
      controls: this.controls,
      reports: this.reports,
      logs: this.logs,
      writable,
      failing: accessErrors,
      onWritten,
    });
    this.files = new FileStore(files);
    this.#names = new NameSpace(model);
    groups.start(this.image);
  }

  get names(): NameSpace {
    return this.#names;
  }

  /** What the device changes by itself where leaves of these keys have a new value; answers the keys of that. */
  follow(keys: readonly string[]): readonly string[] {
    return followModes(this.image, keys, this.#clock.wallMs());
  }

  /** Setting groups and report blocks begin anew with the values that the image has now; so do the logs, which enter nothing before. */
  start(): void {
    runSteps(this.startSteps());
  }

  /** The same in steps. */
  *startSteps(): Steps<void> {
    yield* this.#groups.startSteps(this.image);
    yield* this.reports.restart();
    yield* this.logs.startSteps();
  }

  /** Makes another model ready for `update`, in steps; the device stays as it is. */
  *nextModel(index: ModelIndex): Steps<NextModel> {
    const sets = yield* modelSets(index.model);
    return { index, sets, reports: yield* reportBlocks(index), logs: yield* logBlocks(index) };
  }

  /** Takes over another model; values of variables that stay are kept. Report and log blocks follow with `settleSteps`, or when a client asks for them. */
  update({ index, sets, reports, logs }: NextModel): void {
    this.image.update(index);
    this.dataSets.update(index.model, sets);
    this.#names = new NameSpace(index.model);
    this.#groups.start(this.image);
    this.reports.update(reports);
    this.logs.update(logs);
  }

  /** Gives the blocks of a model that was taken over what they have by it, block by block. */
  *settleSteps(): Steps<void> {
    yield* this.reports.settleSteps();
    yield* this.logs.settleSteps();
  }

  /** The association of a client has ended. */
  left(client: AccessClient): void {
    this.controls.leave(client.control);
    this.reports.left(client);
    this.#groups.left(client);
  }

  /** Nothing happens by itself any more. */
  close(): void {
    this.controls.close();
    this.reports.close();
    this.logs.close();
    this.#groups.close();
  }
}
