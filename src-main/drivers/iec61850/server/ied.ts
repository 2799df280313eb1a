/** The simulated device, whoever its clients are: model, values, data sets, setting groups and files. */
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Identity, IedModel } from '../model/ied-model.ts';
import { VariableAccess } from './access.ts';
import { followModes } from './behaviour.ts';
import type { ControlRequest } from './control/control-request.ts';
import { type ControlRules, PLAIN_RULES } from './control/control-rules.ts';
import type { ControlledObject } from './control/controlled-object.ts';
import { ServedControls } from './control/served-controls.ts';
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
  readonly clock: Pick<Clock, 'after' | 'wallMs'>;
  /** Left out: everything that the standard lets clients write. */
  readonly writable?: ReadonlySet<string>;
  /** Left out: controls are done right, at once. */
  readonly controlRules?: ControlRules;
  /** A client has written; keys of the leaves that have a new value. */
  onWritten(keys: readonly string[]): void;
  /** A client has operated an object. */
  onCommand?(object: ControlledObject, request: ControlRequest): void;
  /** What is seen on the wire alone otherwise. */
  notice?(said: Message): void;
}

/** Functional constraints that the standard lets clients write, controls and control blocks aside. */
const WRITABLE: ReadonlySet<string> = new Set(['SP', 'SE', 'SV', 'CF', 'DC', 'BL']);

/** The device that all clients share. */
export class SimulatedIed implements ServedDevice {
  readonly identity: Identity;
  readonly image: ServedImage;
  readonly access: VariableAccess;
  readonly controls: ServedControls;
  readonly dataSets: DataSets;
  readonly files: FileStore;
  readonly #groups = new SettingGroups();
  readonly #clock: SimulatedIedOptions['clock'];
  #names: NameSpace;

  constructor(options: SimulatedIedOptions) {
    const { model, identity, files, accessErrors, clock, writable = WRITABLE } = options;
    const onWritten = (keys: readonly string[]) => options.onWritten([...keys, ...this.follow(keys)]);
    this.identity = identity;
    this.#clock = clock;
    this.image = new ServedImage(model, (key, constraint) => this.#groups.keyOfLeaf(key, constraint));
    this.controls = new ServedControls({
      image: this.image,
      clock,
      rules: options.controlRules ?? PLAIN_RULES,
      onWritten,
      onCommand: (object, request) => options.onCommand?.(object, request),
      notice: (said) => options.notice?.(said),
    });
    this.access = new VariableAccess({
      image: this.image,
      groups: this.#groups,
      controls: this.controls,
      writable,
      failing: accessErrors,
      now: () => clock.wallMs(),
      onWritten,
    });
    this.dataSets = new DataSets(model);
    this.files = new FileStore(files);
    this.#names = new NameSpace(model);
    this.#groups.start(this.image);
  }

  get names(): NameSpace {
    return this.#names;
  }

  /** What the device changes by itself where leaves of these keys have a new value; answers the keys of that. */
  follow(keys: readonly string[]): readonly string[] {
    return followModes(this.image, keys, this.#clock.wallMs());
  }

  /** Takes over another model; values of variables that stay are kept. */
  update(model: IedModel): void {
    this.image.update(model);
    this.dataSets.update(model);
    this.#names = new NameSpace(model);
    this.#groups.start(this.image);
  }
}
