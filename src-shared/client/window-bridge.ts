import type { ApiReply, ApiRequest } from './client.ts';

/** What the preload script puts into the page of the desktop window as `window.loopcheck`. Nothing else of Electron is reachable. */
export interface WindowBridge {
  /** The IPC door: the same router as HTTP. */
  api(request: ApiRequest): Promise<ApiReply>;
  /** Opens the file chooser of the system for a project: one that there is, or a place for a new one. Null: it was closed without a choice. */
  chooseProject(request: ProjectChoice): Promise<string | null>;
  readonly platform: string;
}

/** What the file chooser of the system is opened with. */
export interface ProjectChoice {
  readonly kind: 'open' | 'save';
  /** Path it begins with; empty: where it was last. */
  readonly path: string;
}

/** IPC channel names of the bridge, one typed place for both ends. */
export const IPC = { api: 'loopcheck:api', chooseProject: 'loopcheck:choose-project' } as const;
