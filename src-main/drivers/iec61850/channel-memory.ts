/** What a channel keeps of its device from one connection to the next. */
import { AppError, toAppError } from '#shared/domain/errors.ts';
import type { Steps } from '../../platform/steps.ts';
import type { DriverMemory } from '../spi/index.ts';
import type { DriverDocument } from '../spi/model.ts';
import type { ControlFields } from './control/structure.ts';
import { DeviceModel } from './model/device-model.ts';
import type { Identity } from './model/ied-model.ts';
import { modelOf, type SentPart } from './model/parts.ts';
import { readSclDevice } from './model/scl/device.ts';
import { openScl } from './model/scl/file.ts';
import { TypePool } from './model/types.ts';
import { ReportMemory } from './reports/report-memory.ts';
import { SetProofs } from './set-proofs.ts';

const KEY = 'iec61850';

/** What told one device and configuration from another when the model was learnt. */
export interface Fingerprint {
  /** Null where the device did not say it. */
  readonly identity: Identity | null;
  /** In any order: a device may list them differently after a restart. */
  readonly domains: ReadonlySet<string>;
  /** Configuration revision by domain, of those that have one. */
  readonly revisions: ReadonlyMap<string, string>;
}

/** What the device was found not to do. */
export class DeviceLimits {
  /** Structures that it does not give as a whole, by `LD/LN$FC$DO…`. */
  readonly narrowed = new Set<string>();
  /** Data sets that it does not give. */
  readonly unreadableSets = new Set<string>();
  /** Whether data sets are read with `specificationWithResult`; null before one was answered. */
  withSpecification: boolean | null = null;
  #maxVariables = Number.POSITIVE_INFINITY;

  /** Most variables in one Read. */
  get maxVariables(): number {
    return this.#maxVariables;
  }

  /** A Read of so many variables was too much: half as many from now on. */
  refuseVariables(count: number): void {
    this.#maxVariables = Math.min(this.#maxVariables, Math.max(1, count >> 1));
  }

  /** It was not the number of variables after all. */
  allowVariables(): void {
    this.#maxVariables = Number.POSITIVE_INFINITY;
  }

  /** Forgets everything: another model may be another device. */
  clear(): void {
    this.allowVariables();
    this.narrowed.clear();
    this.unreadableSets.clear();
    this.withSpecification = null;
  }
}

export class ChannelMemory {
  readonly model = new DeviceModel();
  readonly pool = new TypePool();
  readonly limits = new DeviceLimits();
  readonly reports = new ReportMemory();
  readonly setProofs = new SetProofs();
  /** Commands that the device carries out at a time of their own, by `LD/LN$CO$DO`: they can be cancelled over a later association as well. */
  readonly timedControls = new Map<string, ControlFields>();
  /** Of the model that was learnt; null before that. */
  fingerprint: Fingerprint | null = null;
  /** Logical nodes (`LD/LN`) whose structures were compared with the device over this association; null: all of them were learnt over it. */
  proven: ReadonlySet<string> | null = new Set();
  /** What was last told about parts that could not be learnt. */
  toldLeftOut = '';
  #isDocumentTaken = false;
  #documentError: AppError | null = null;

  /**
   * Takes over the document of the channel, once. Throws `CONFIG_INVALID` when it cannot be read, or has not the device that `iedName` names;
   * the model says so as well.
   */
  takeDocument(document: () => DriverDocument | null, iedName: string, wallMs: number | null): void {
    if (this.#documentError) throw this.#documentError;
    if (this.#isDocumentTaken) return;
    this.#isDocumentTaken = true;
    try {
      const file = document();
      if (file) this.model.setFile(readSclDevice(openScl(file.name, file.text), iedName, this.pool).model, wallMs);
    } catch (thrown) {
      this.#refuse(toAppError(thrown));
      throw this.#documentError;
    }
  }

  /** True when the document was taken over, or refused. */
  get isDocumentTaken(): boolean {
    return this.#isDocumentTaken;
  }

  /** True where the order of members in a structure below `LD/LN` is known for sure: from the device itself, over this association. */
  isProven(key: string): boolean {
    const end = key.indexOf('$');
    return this.model.device !== null && (this.proven === null || this.proven.has(end < 0 ? key : key.slice(0, end)));
  }

  /** Takes over what was made of the document elsewhere, or why it could not be; in steps, of which the last one shows it. */
  *takeMade(made: readonly SentPart[] | AppError): Steps<void> {
    if (this.#isDocumentTaken) return;
    if (made instanceof AppError) {
      this.#isDocumentTaken = true;
      this.#refuse(made);
      return;
    }
    const file = yield* modelOf(made, this.pool);
    if (this.#isDocumentTaken) return;
    yield* this.model.stepsOfFile(file, null);
    this.#isDocumentTaken = true;
  }

  /** The channel is started anew: a document that was refused is looked at again, for what was wrong may have passed. */
  forgetRefusal(): void {
    if (!this.#documentError) return;
    this.#documentError = null;
    this.#isDocumentTaken = false;
  }

  #refuse(error: AppError): void {
    this.#documentError = error;
    this.model.failed(error.said);
  }
}

/** The memory of a channel, made at first use. */
export function memoryOf(memory: DriverMemory): ChannelMemory {
  const known = memory.get(KEY);
  if (known instanceof ChannelMemory) return known;
  const made = new ChannelMemory();
  memory.set(KEY, made);
  return made;
}
