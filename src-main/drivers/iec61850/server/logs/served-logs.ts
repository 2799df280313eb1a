/** The logs of the simulated device and the blocks that fill them (IEC 61850-7-2, 17.3 and 17.4). */
import type { Clock } from '../../../../platform/clock.ts';
import { runSteps, type Steps } from '../../../../platform/steps.ts';
import type { MmsRequest, MmsResponse, ServiceError, VariableSpec } from '../../mms/pdu.ts';
import { suits } from '../../mms/type-check.ts';
import type { MmsResult, MmsValue, ObjectName } from '../../mms/types.ts';
import { ACCESS_ERROR, SERVICE_ERROR } from '../../mms/words.ts';
import { blockNames } from '../../model/report-blocks.ts';
import type { DataSets } from '../data-sets.ts';
import { type ServedImage, type Variable, variableKey } from '../image.ts';
import { compareNames } from '../name-space.ts';
import type { ChangeWatch } from '../reports/change-watch.ts';
import { entryIdOf, entryNumber } from '../reports/lasting-entries.ts';
import { serviceError } from '../service-error.ts';
import { Journal } from './journal.ts';
import { type KeptLog, keptLogEntries, restoredLogEntries } from './lasting-log.ts';
import { LogBlock, type LogSurroundings } from './log-block.ts';

export interface ServedLogsOptions {
  readonly image: ServedImage;
  readonly dataSets: DataSets;
  readonly clock: Clock;
  readonly watch: ChangeWatch;
  read(item: VariableSpec): MmsResult;
  /** See `LogSurroundings`. */
  onConfigured(keys: readonly string[]): void;
  /** Logs have other entries. */
  onEntries(): void;
}

type Request<Service extends MmsRequest['service']> = Extract<MmsRequest, { service: Service }>;

const CONSTRAINT = 'LG';
/** Octets that all logs may take together, and one at most and at least. */
const ALL_LOGS_OCTETS = 4_000_000;
const MOST_LOG_OCTETS = 1_000_000;
const LEAST_LOG_OCTETS = 20_000;
/** Characters that the entries of all logs may take together as the project stores them. */
const KEPT_CHARACTERS = 256_000;

export class ServedLogs {
  readonly #options: ServedLogsOptions;
  /** By `LD/LN$name`. */
  #journals = new Map<string, Journal>();
  /** By `LD/LN$LG$name`. */
  #blocks = new Map<string, LogBlock>();
  #lastEntry = 0;

  constructor(options: ServedLogsOptions) {
    this.#options = options;
  }

  /** Begins with the blocks of the model as the image has them now; logs that stay keep their entries. */
  start(): void {
    runSteps(this.startSteps());
  }

  /** The same in steps. */
  *startSteps(): Steps<void> {
    this.close();
    const { image } = this.#options;
    const places = yield* logVariables(image);
    const names = new Set(image.model.devices.map(({ name }) => name));
    const logs = places.map(({ log }) => log).filter((log) => names.has(log.slice(0, Math.max(0, log.indexOf('/')))) && !log.endsWith('$'));
    const before = this.#journals;
    const share = Math.floor(ALL_LOGS_OCTETS / Math.max(1, new Set(logs).size));
    const limit = Math.max(LEAST_LOG_OCTETS, Math.min(MOST_LOG_OCTETS, share));
    this.#journals = new Map(logs.map((log) => [log, before.get(log) ?? new Journal(limit)]));
    const around = this.#surroundings();
    this.#blocks = new Map(places.map(({ block }) => [variableKey(block), new LogBlock(block, around)]));
    for (const block of this.#blocks.values()) {
      yield;
      const journal = this.#journals.get(block.logRef);
      if (journal) block.tell(journal);
    }
  }

  /** Names of the logs of a domain, in the order of name lists. */
  names(domain: string): readonly string[] {
    const start = `${domain}/`;
    return [...this.#journals.keys()].flatMap((log) => (log.startsWith(start) ? [log.slice(start.length)] : [])).sort(compareNames);
  }

  /** True for a data set, `LD/LN$name`, that a block names. */
  isUsed(dataSet: string): boolean {
    return [...this.#blocks.values()].some((block) => block.dataSet === dataSet);
  }

  /** Carries out what a client writes to a member of a block; answers the error, or null. */
  write(variable: Variable, value: MmsValue): number | null {
    const [, name = '', member, ...more] = variable.path;
    const block = this.#blocks.get(variableKey({ ...variable, path: [CONSTRAINT, name] }));
    if (!block || member === undefined || more.length > 0) return ACCESS_ERROR.accessDenied;
    return suits(variable.type, value) ? block.write(member, value) : ACCESS_ERROR.typeInconsistent;
  }

  /** Entries of a log, as many as a PDU of `maxPduOctets` holds. */
  readJournal(request: Request<'read-journal'>, maxPduOctets: number): MmsResponse | ServiceError {
    const journal = this.#journals.get(keyOf(request.name));
    if (!journal) return serviceError(SERVICE_ERROR.accessNonExistent);
    this.#options.watch.endTurn();
    const page = journal.read(request, maxPduOctets);
    if (page === 'large') return serviceError(SERVICE_ERROR.resourceOther);
    return page ? { service: 'read-journal', ...page } : serviceError(SERVICE_ERROR.constraintConflict);
  }

  /** Deletes entries of a log. */
  initializeJournal({ name, limit }: Request<'initialize-journal'>): MmsResponse | ServiceError {
    const log = keyOf(name);
    const journal = this.#journals.get(log);
    if (!journal) return serviceError(SERVICE_ERROR.accessNonExistent);
    const deleted = journal.delete(limit);
    if (deleted === null) return serviceError(SERVICE_ERROR.constraintConflict);
    this.#tell(log);
    if (deleted > 0) this.#options.onEntries();
    return { service: 'initialize-journal', deleted };
  }

  /** Entries of all logs as they are kept. */
  kept(): readonly KeptLog[] {
    const share = Math.floor(KEPT_CHARACTERS / Math.max(1, this.#journals.size));
    return [...this.#journals].flatMap(([log, { entries }]) => {
      const kept = keptLogEntries(entries, share - log.length);
      return kept.length === 0 ? [] : [{ log, entries: kept }];
    });
  }

  /** Takes entries back that were kept, of logs and variables that are there still; behind the start. */
  restore(kept: readonly KeptLog[]): void {
    for (const { log, entries } of kept) {
      const journal = this.#journals.get(log);
      if (!journal) continue;
      journal.restore(restoredLogEntries(entries, ({ tag, value }) => this.#fits(tag, value)));
      for (const { entry } of journal.entries) this.#lastEntry = Math.max(this.#lastEntry, entryNumber(entry.id));
      this.#tell(log);
    }
  }

  /** Enters no more. */
  close(): void {
    for (const block of this.#blocks.values()) block.end();
    this.#blocks = new Map();
  }

  /** A part of an array is known by its name alone. */
  #fits(tag: string, value: MmsValue): boolean {
    const [key = '', element] = tag.split('(', 2);
    const variable = this.#options.image.findKey(key);
    return variable !== null && (element !== undefined || suits(variable.type, value));
  }

  #surroundings(): LogSurroundings {
    const { image, clock, watch, dataSets, read, onConfigured } = this.#options;
    return {
      image,
      clock,
      watch,
      membersOf: (dataSet) => dataSets.named(dataSet, null)?.items ?? null,
      read,
      journalOf: (logRef) => this.#journals.get(logRef) ?? null,
      enter: (logRef, variables) => {
        this.#journals.get(logRef)?.add(this.#nextEntryId(), clock.wallMs(), variables);
        this.#tell(logRef);
        this.#options.onEntries();
      },
      onConfigured,
    };
  }

  /** Every block of a log tells its oldest and newest entry. */
  #tell(log: string): void {
    const journal = this.#journals.get(log);
    if (journal) for (const block of this.#blocks.values()) if (block.logRef === log) block.tell(journal);
  }

  #nextEntryId(): Uint8Array {
    this.#lastEntry = Math.max(this.#lastEntry + 1, Math.floor(this.#options.clock.wallMs()));
    return entryIdOf(this.#lastEntry);
  }
}

function keyOf(name: ObjectName): string {
  return name.scope === 'domain' ? `${name.domain}/${name.item}` : name.item;
}

/** Log control blocks of a model in its order, each with the log that it names. */
function* logVariables(image: ServedImage): Steps<{ readonly block: Variable; readonly log: string }[]> {
  const found: { readonly block: Variable; readonly log: string }[] = [];
  for (const { name: domain, nodes } of image.model.devices) {
    yield;
    for (const node of nodes) {
      for (const name of blockNames(node, CONSTRAINT)) {
        yield;
        const block = image.at(domain, [node.name, CONSTRAINT, name]);
        const reference = image.at(domain, [node.name, CONSTRAINT, name, 'LogRef']);
        const value = reference && image.value(reference);
        if (block) found.push({ block, log: value?.kind === 'visible-string' ? value.text : '' });
      }
    }
  }
  return found;
}
