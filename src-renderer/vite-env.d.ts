/// <reference types="vite/client" />
import type { WindowBridge } from '#shared/client/window-bridge.ts';

declare global {
  interface Window {
    /** Present in the desktop window only, put there by the preload script. */
    readonly loopcheck?: WindowBridge;
  }
}
