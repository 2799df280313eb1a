import type { ApiReply, ApiRequest } from './client.ts';

/** What the preload script puts into the page of the desktop window as `window.loopcheck`. Nothing else of Electron is reachable. */
export interface WindowBridge {
  /** The IPC door: the same router as HTTP. */
  api(request: ApiRequest): Promise<ApiReply>;
  readonly platform: string;
}

/** IPC channel names of the bridge, one typed place for both ends. */
export const IPC = { api: 'loopcheck:api' } as const;
