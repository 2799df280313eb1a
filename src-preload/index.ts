import { contextBridge, ipcRenderer } from 'electron';
import { IPC, type WindowBridge } from '#shared/client/window-bridge.ts';

const bridge: WindowBridge = {
  api: ({ method, url, body }) => ipcRenderer.invoke(IPC.api, body === undefined ? { method, url } : { method, url, body }),
  platform: process.platform,
};

contextBridge.exposeInMainWorld('loopcheck', bridge);
