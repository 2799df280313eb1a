import { contextBridge, ipcRenderer } from 'electron';
import { IPC, type WindowBridge } from '#shared/client/window-bridge.ts';

const bridge: WindowBridge = {
  api: ({ method, url, body, file }) => {
    const carried = file ? { file } : body === undefined ? {} : { body };
    return ipcRenderer.invoke(IPC.api, { method, url, ...carried });
  },
  chooseProject: ({ kind, path }) => ipcRenderer.invoke(IPC.chooseProject, { kind, path }),
  platform: process.platform,
};

contextBridge.exposeInMainWorld('loopcheck', bridge);
