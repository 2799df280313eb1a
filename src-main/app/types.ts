import type { FastifyInstance } from 'fastify';
import type { ApiClient } from '#shared/client/client.ts';
import type { Message } from '#shared/messages/message.ts';
import type { ChannelRuntime, RuntimePorts } from '../runtime/types.ts';
import type { RecordForms } from '../services/check/record-forms.ts';
import type { HistoryOpener } from '../services/history/recorder.ts';
import type { TableWork } from '../services/point-files/table-work.ts';
import type { DocumentDeviceMaker, DocumentReader, OpenProject, SerialPortLister, ServiceFacts } from '../services/ports.ts';
import type { TextWork } from '../services/project-text/text-work.ts';
import type { BufferOpener } from '../services/publish/buffers.ts';
import type { DatabaseOpener, WebAsker } from '../transport/store-types.ts';
import type { BrokerOpener, WebPoster } from '../transport/types.ts';
import type { DemoStore } from './demo/kept-demo.ts';
import type { CopyCheck } from './project-thread.ts';
import type { ServiceCertificate } from './service-certificate.ts';

/** What a start of the service is asked for, from the command line or from the desktop window. */
export interface CoreConfig {
  /** Address to bind, e.g. `127.0.0.1`. Any other than loopback needs a token. */
  readonly host: string;
  /** TCP port, 0 to 65535; 0 takes a free one. */
  readonly port: number;
  /** Folder of logs, `service.json` and the default project; it is made when missing. */
  readonly dataDir: string;
  /** Project file to open; made when missing. */
  readonly projectPath: string;
  /** Bearer token that `/api` asks for; null on loopback asks for none. */
  readonly token: string | null;
  /** Answers HTTPS with it; null answers HTTP. */
  readonly certificate: ServiceCertificate | null;
  /** True refuses every write to a device, whatever the setting in the project says. */
  readonly readOnly: boolean;
  /** Folder of the built pages; null serves the API alone. */
  readonly pagesDir: string | null;
  /** Origins beside our own that may call, e.g. of a development server; normally none. */
  readonly extraOrigins: readonly string[];
  /** Checks every answer against the contract and fails loudly; for tests. */
  readonly checkResponses: boolean;
}

/** Everything of the outside world that the core is given. */
export interface CorePorts
  extends Omit<RuntimePorts, 'events' | 'documentOf' | 'deviceOf' | 'secrets' | 'lasting' | 'audit' | 'isReadOnly'> {
  readonly openProject: OpenProject;
  /** Looks at all pages of a project file that is not open. */
  readonly isSoundProject: CopyCheck;
  readonly listSerialPorts: SerialPortLister;
  readonly readDocument: DocumentReader;
  readonly makeDevice: DocumentDeviceMaker;
  readonly tables: TableWork;
  readonly texts: TextWork;
  readonly records: RecordForms;
  readonly openHistory: HistoryOpener;
  readonly openBuffer: BufferOpener;
  readonly openBroker: BrokerOpener;
  readonly postToWeb: WebPoster;
  readonly askWeb: WebAsker;
  readonly openDatabase: DatabaseOpener;
  readonly updates: ServiceFacts['updates'];
  /** Makes the project of the simulated plant as it was built, where there is none. Never throws: what is in the way is told by the opening. */
  readonly placeDemo: (path: string) => void;
  /** Restores the simulated plant in the open project and starts it. Another project is not opened meanwhile. */
  readonly startDemo: (core: Core, store: DemoStore) => Promise<Demo>;
  /** A token that nobody can guess, of letters and digits that a header can carry. */
  readonly newToken: () => string;
  /** Milliseconds of processor time that this process has used, over all cores. */
  readonly cpuMs: () => number;
  /** Why the log is not written now; null: it is. Left out: there is no log. */
  readonly logTrouble?: () => Message | null;
}

/** The running demo plant. */
export interface Demo {
  /** Ends the simulation; the channels stay as they are. Call it before the core is closed. */
  stop(): Promise<void>;
}

/** The running service, without a window and without a process around it. */
export interface Core {
  /** The one router of both doors; ready, and listening after `listen`. */
  readonly fastify: FastifyInstance;
  /** Typed client on the inner door: what the window calls, without a socket, token or Host. */
  readonly api: ApiClient;
  /** The running side of one channel of the open project, undefined when it has none with this id: how the demo plant sets what it serves. */
  channel(id: number): ChannelRuntime | undefined;
  /** Binds the address and writes `service.json`; answers the URL, e.g. `http://127.0.0.1:8991`. Throws `TRANSPORT_PORT_TAKEN` and the like. */
  listen(): Promise<string>;
  /** Restores and runs the simulated plant in the open project, until another one is opened. */
  runDemo(): Promise<void>;
  /** Closes every line of the started channels in order, until `resume`, or half a minute when that never comes: before the computer sleeps. */
  suspend(): Promise<void>;
  /** Drops every line of the started channels and opens it anew: after the computer slept. Nothing is sent again. */
  resume(): Promise<void>;
  /** Settles when a script or person asked for the end through `POST /api/service/stop`. */
  readonly stopRequested: Promise<void>;
  /** Ordered and bounded: no new work, tasks, channels, store, listener. Idempotent. */
  close(): Promise<void>;
}
