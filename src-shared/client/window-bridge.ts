import type { CheckRecordLanguage } from '../domain/check.ts';
import type { ErrorCode } from '../domain/errors.ts';
import type { Message } from '../messages/message.ts';
import type { ApiReply, ApiRequest } from './client.ts';

/** A command of the page in the menu of the window. */
export interface PageMenuItem {
  readonly id: string;
  /** In the language of the page. */
  readonly words: string;
  /** As the pages write keys: `mod+ArrowUp`; null for none. It is shown; the page itself hears it. */
  readonly key: string | null;
  readonly isEnabled: boolean;
}

/** What the pages offer now. */
export interface PageMenu {
  /** Of the pages: the menu has one language. */
  readonly language: 'zh-CN' | 'en';
  readonly groups: readonly { readonly words: string; readonly items: readonly PageMenuItem[] }[];
}

/** What the preload script puts into the page of the desktop window as `window.loopcheck`. Nothing else of Electron is reachable. */
export interface WindowBridge {
  /** The IPC door: the same router as HTTP. */
  api(request: ApiRequest): Promise<ApiReply>;
  /** Opens the file chooser of the system for a project: one that there is, or a place for a new one. Null: it was closed without a choice. */
  chooseProject(request: ProjectChoice): Promise<string | null>;
  /**
   * Prints the record of a session as PDF into a file that a person chooses.
   */
  printRecord(request: RecordToPrint): Promise<PrintOutcome>;
  /** Shows these commands in the menu of the window, in place of those before. */
  showMenu(menu: PageMenu): Promise<void>;
  /** Hears which command was chosen in the menu, by its id; answers what ends that. */
  onCommand(run: (id: string) => void): () => void;
  /** Takes the file that the program was given by the explorer of the system; null: none waits. */
  takeFile(): Promise<GivenFile | null>;
  /** Hears that one waits; answers what ends that. */
  onFileGiven(run: () => void): () => void;
  readonly platform: string;
}

/** A file that describes a device. */
export interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What the file chooser of the system is opened with. */
export interface ProjectChoice {
  readonly kind: 'open' | 'save';
  /** Path it begins with; empty: where it was last. */
  readonly path: string;
}

/** Which record is printed, and in which language. */
export interface RecordToPrint {
  readonly sessionId: number;
  readonly lang: CheckRecordLanguage;
}

/** What came of printing. `closed`: no place was chosen; `refused`: the record could not be made or written. A refusal is a value: what is thrown over IPC loses its code and words. */
export type PrintOutcome =
  | { readonly kind: 'saved' | 'closed' }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly said: Message };

/** IPC channel names of the bridge, one typed place for both ends. `command` and `fileGiven` go to the page. */
export const IPC = {
  api: 'loopcheck:api',
  chooseProject: 'loopcheck:choose-project',
  printRecord: 'loopcheck:print-record',
  menu: 'loopcheck:menu',
  command: 'loopcheck:command',
  takeFile: 'loopcheck:take-file',
  fileGiven: 'loopcheck:file-given',
} as const;
