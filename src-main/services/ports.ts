import type { Readable } from 'node:stream';
import type { Channel } from '#shared/contract/channels.ts';
import type { ListProfile } from '#shared/contract/list-operations.ts';
import type { ServiceWarning } from '#shared/contract/service.ts';
import type { Caller, Role } from '#shared/domain/access.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig } from '../drivers/spi/index.ts';
import type { DocumentDevice, DocumentKind, DocumentSummary, DriverDocument } from '../drivers/spi/model.ts';
import type {
  PackedDocument,
  ProjectLook,
  ProjectSecrets,
  ProjectStore,
  RecentProjects,
  StoredChannel,
} from '../persistence/repositories.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { EventLog } from '../runtime/logs/event-log.ts';
import type { ChannelRuntime, DriverRegistry } from '../runtime/types.ts';
import type { ChangeCounter } from '../runtime/values/change-counter.ts';
import type { TransportFactory } from '../transport/types.ts';
import type { RecordForms } from './check/record-forms.ts';
import type { Endings } from './endings.ts';
import type { Recorder } from './history/recorder.ts';
import type { JobBoard } from './jobs/job-board.ts';
import type { CommandJournal } from './live/command-journal.ts';
import type { TableWork } from './point-files/table-work.ts';
import type { TextWork } from './project-text/text-work.ts';
import type { Publishers } from './publish/publishers.ts';
import type { SeriesBook } from './series/series-book.ts';

/**
 * Opens, checks, locks and migrates a project file. With `create` a missing file becomes a new project. `beside`: lines run meanwhile, so what takes
 * long of it holds no thread that they need.
 * Throws `CONFIG_NOT_FOUND` (no file), `STATE_STORE` (newer, locked with its holder named, damaged, no project).
 */
export type OpenProject = (path: string, options: { readonly create: boolean; readonly beside: boolean }) => Promise<ProjectStore>;

/** A serial port as the operating system lists it; unknown details are null. */
export interface ListedSerialPort {
  readonly path: string;
  readonly manufacturer: string | null;
  readonly vendorId: string | null;
  readonly productId: string | null;
  readonly serialNumber: string | null;
}

/** Serial ports of this computer now. */
export type SerialPortLister = () => Promise<readonly ListedSerialPort[]>;

/**
 * Looks at a document without holding the service, as `kind` of this protocol does. Throws what `kind` throws, `CONFIG_TOO_LARGE` for one that
 * needs too much time or memory.
 */
export type DocumentReader = (protocol: Channel['protocol_type'], kind: DocumentKind, document: DriverDocument) => Promise<DocumentSummary>;

/**
 * Makes what a channel with these `protocol` settings needs of its document, in parts, without holding the service. Throws what `device` throws,
 * `CONFIG_TOO_LARGE` for a document that needs too much time or memory.
 */
export type DocumentDeviceMaker = (
  protocol: Channel['protocol_type'],
  device: DocumentDevice,
  document: PackedDocument,
  settings: Readonly<Record<string, unknown>>,
) => Promise<readonly unknown[]>;

/** A stored channel with its points in id order. */
export interface FilledChannel {
  readonly channel: StoredChannel;
  readonly points: readonly PointConfig[];
}

/** The running channels of the open project. */
export interface ChannelHub {
  /** In id order. */
  list(): readonly ChannelRuntime[];
  get(id: number): ChannelRuntime | undefined;
  /** The channel with this name, which is also the `device_name` of the task operations. */
  byName(name: string): ChannelRuntime | undefined;
  /** Takes a stored channel into operation, stopped. */
  add(channel: StoredChannel): ChannelRuntime;
  /** Makes channels with their points ready, `breathe` between the bits; what it answers takes all of them into operation at once, stopped. */
  stage(channels: readonly FilledChannel[], breathe: () => Promise<void>): Promise<() => void>;
  /** Stops a channel, its tasks first, and forgets it. */
  remove(id: number): Promise<void>;
  /**
   * Takes a port for something that is no channel: `port` as `portOf` writes it, `holder` as a message names it. Answers what gives it back.
   * Throws `TRANSPORT_PORT_TAKEN` when somebody has it.
   */
  holdPort(port: string, holder: string): () => void;
  /** Bound of every frame log, in octets. */
  resizeFrameLogs(bytes: number): void;
}

/** The open project: its file, the channels that run from it, and what happened on them. */
export interface ProjectSession {
  /** Another one each time a project is opened, the same file included. */
  readonly id: string;
  readonly store: ProjectStore;
  readonly secrets: ProjectSecrets;
  readonly channels: ChannelHub;
  readonly events: EventLog;
  /** Numbers the changes of all tables, and of what else the stream of events tells. */
  readonly changes: ChangeCounter;
  /** The last news of commands. */
  readonly commands: CommandJournal;
  /** Long-running operations on this project. */
  readonly jobs: JobBoard;
  /** What has to end in order before the project is left. */
  readonly endings: Endings;
  /** Records values into the file beside the project. */
  readonly recorder: Recorder;
  /** What simulated points follow. */
  readonly series: SeriesBook;
  /** Sends values to brokers and web addresses. */
  readonly publishers: Publishers;
}

/** Holds the one open project. */
export interface ProjectHolder {
  /** Throws `STATE_CONFLICT` while another project is being opened. */
  current(): ProjectSession;
  /**
   * Checks and locks another file, then stops the present project and continues with the new one. A refusal changes nothing. The file
   * that is open already is no change.
   */
  open(path: string, options: { readonly create: boolean }): Promise<ProjectSession>;
  /**
   * For work that makes a project and opens it with what it is given: no other one is opened or renamed meanwhile. Throws `STATE_CONFLICT` at once where that is
   * under way already.
   */
  making<Result>(work: (open: (path: string) => Promise<ProjectSession>) => Promise<Result>): Promise<Result>;
  /**
   * Stops the open project, gives its file another name on its drive, and continues with it. A refusal leaves it open under its old name. Throws
   * `STATE_CONFLICT` for a name that is taken.
   */
  rename(path: string): Promise<ProjectSession>;
}

/** Project files beside the open one. */
export interface ProjectFiles {
  /** Folder of projects that were given no other place. */
  readonly folder: string;
  readonly recent: RecentProjects;
  /** Looks at a file without opening it; null when its drive did not answer in time. */
  look(path: string): Promise<ProjectLook>;
  /** Whether there is a file of this name; null when its drive did not answer in time. */
  isThere(path: string): Promise<boolean | null>;
  /** Path of a file that does not exist yet, for what is on its way in or out. */
  newDraft(): string;
  /** Gives a file that arrived as `name` a place in the folder, never that of another one. Throws `STATE_STORE` for one that is no sound project. */
  place(draft: string, name: string): Promise<{ readonly path: string; readonly sizeBytes: number }>;
  /** Makes the folder when this path is to lie in it. */
  prepare(path: string): void;
}

/** What the next start of the service begins with, unless its command line says otherwise. */
export interface StartSettings {
  readonly port: number;
  /** Null: none is asked for. */
  readonly token: string | null;
  /** Where newer versions are looked for, which holds at once: a folder, a file or an address; empty: nowhere. */
  readonly updates: string;
}

/** Keeps what the next start begins with. */
export interface StartSettingsStore {
  read(): StartSettings;
  /** Throws `STATE_STORE` when the file cannot be written; nothing is changed then. */
  write(change: Partial<StartSettings>): void;
}

/** An access as it is known: never its token. */
export interface KnownAccess {
  readonly name: string;
  readonly role: Role;
  /** Last characters of the token. */
  readonly end: string;
  /** UTC, ISO 8601. */
  readonly madeAt: string;
  /** Wall time of its last request since the start, in ms; null: none. */
  readonly usedAt: number | null;
}

/** Tokens with a name and a role. Changes hold at once; each throws `STATE_STORE` or `STATE_STORE_FULL` when the file cannot be written, and changes nothing then. */
export interface AccessBook {
  list(): readonly KnownAccess[];
  /** Throws `STATE_CONFLICT` where there is one with this name, or as many as there may be. */
  add(name: string, role: Role): { readonly access: KnownAccess; readonly token: string };
  /** Throws `CONFIG_NOT_FOUND`, as `remove` does. */
  changeRole(name: string, role: Role): KnownAccess;
  remove(name: string): void;
  /** Who this token belongs to; null: nobody. */
  holderOf(token: string): Caller | null;
  /** Calls when the access is removed; answers how to wait no longer. */
  whenRemoved(name: string, call: () => void): () => void;
}

/** Another service as it is known: never its token. */
export interface KnownRemote {
  readonly id: number;
  readonly name: string;
  /** `https://10.0.0.7:8991`. */
  readonly address: string;
  readonly fingerprint: string | null;
  /** Last characters of the token; null: without one. */
  readonly end: string | null;
}

/** What another service answers. */
export interface RemoteAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
}

export interface RemoteAsk {
  readonly method: string;
  /** Path and query, from `/api/` on. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readable | string | null;
  readonly signal: AbortSignal;
}

/** Other services that this one shows, and how they are asked. Nothing else has their tokens. */
export interface RemoteBook {
  /** By name. */
  list(): readonly KnownRemote[];
  /** Throws `CONFIG_NOT_FOUND`. */
  find(id: number): KnownRemote;
  /** Who answers at an address; nothing secret is sent. Throws what keeps it from being asked. */
  look(address: string): Promise<{ readonly address: string; readonly fingerprint: string | null }>;
  /** Keeps a service that answers to its token. Throws `STATE_CONFLICT`, `STATE_STORE`, and what keeps it from being asked. */
  add(remote: {
    readonly name: string;
    readonly address: string;
    readonly token: string | null;
    readonly fingerprint: string | null;
  }): Promise<KnownRemote>;
  remove(id: number): void;
  /** Asks a service with its token. Throws an AppError when it does not answer. */
  ask(id: number, ask: RemoteAsk): Promise<RemoteAnswer>;
}

/** Files of one kind in the data folder, by their names without the ending. */
export interface NamedFiles {
  /** In the order of the alphabet; `octets` and `changedMs` tell a changed file. */
  list(): readonly { readonly id: string; readonly file: string; readonly octets: number; readonly changedMs: number }[];
  /** The file, or the code of the system where it cannot be read. */
  read(id: string): { readonly octets: Uint8Array } | { readonly code: string };
  /** Throws `STATE_STORE` or `STATE_STORE_FULL`, as `remove` does. */
  write(id: string, text: string): void;
  remove(id: string): void;
}

/** Profiles of foreign lists in the data folder. */
export interface MappingFiles {
  /** What lies there now; files that are no profiles with the reason why. */
  list(): {
    readonly profiles: readonly ListProfile[];
    readonly unreadable: readonly { readonly id: string; readonly file: string; readonly reason: Message }[];
  };
  /** Throws `STATE_STORE` or `STATE_STORE_FULL`. */
  write(id: string, text: string): void;
  remove(id: string): void;
}

/** Reads a notice of a newer version, of `most` octets. Throws an AppError that says what is wrong, or the reason of the signal. */
export type UpdateReader = (file: string, most: number, signal: AbortSignal) => Promise<string>;

/** What the services know about the process they run in. */
export interface ServiceFacts {
  readonly version: string;
  /** UTC milliseconds. */
  readonly startedAt: number;
  readonly host: string;
  /** Port that is listened on; null before. */
  port(): number | null;
  /** True with `--read-only`: no setting can lift it. */
  readonly forcedReadOnly: boolean;
  /** Processor time since it was asked last, as a share of one core. */
  load(): number;
  /** Processor time of the process, over all cores, in milliseconds; and its memory. */
  cpuMs(): number;
  memoryBytes(): number;
  /** Name of this computer. */
  readonly computer: string;
  /** Random UUID. */
  newId(): string;
  readonly nextStart: StartSettingsStore;
  readonly accesses: AccessBook;
  readonly remotes: RemoteBook;
  /** Newer versions. `key`: what their notices are checked with, SPKI in base64; null: this build has none. */
  readonly updates: { readonly key: string | null; readonly read: UpdateReader };
  /** True where a request without a token passes as well. */
  readonly isOpen: boolean;
  /** SHA-256 of the certificate that HTTPS is answered with; null over HTTP. */
  readonly fingerprint: string | null;
  /** A token that nobody can guess. */
  newToken(): string;
  /** What the process has to tell of its own files, beside the project. */
  warnings(): readonly ServiceWarning[];
  /** Begins the ordered end of the service, after the answer that is under way. */
  requestStop(): void;
}

/** Everything the use cases are given. */
export interface ServiceDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly drivers: DriverRegistry;
  readonly projects: ProjectHolder;
  readonly projectFiles: ProjectFiles;
  /** Opens the project of the simulated plant, restored and running; nothing where it runs already. */
  openDemo(): Promise<void>;
  readonly listSerialPorts: SerialPortLister;
  readonly readDocument: DocumentReader;
  readonly tables: TableWork;
  readonly mappingFiles: MappingFiles;
  readonly texts: TextWork;
  /** Templates of devices. */
  readonly templateFiles: NamedFiles;
  readonly records: RecordForms;
  /** Lines for operations that need one beside the channels. */
  readonly transports: TransportFactory;
  readonly facts: ServiceFacts;
}
