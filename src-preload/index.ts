import { contextBridge, ipcRenderer } from 'electron';
import { IPC, type WindowBridge } from '#shared/client/window-bridge.ts';

const bridge: WindowBridge = {
  api: ({ method, url, body, file, session }) => {
    const carried = { ...(file ? { file } : {}), ...(body === undefined ? {} : { body }) };
    return ipcRenderer.invoke(IPC.api, { method, url, ...carried, ...(session === undefined ? {} : { session }) });
  },
  chooseProject: ({ kind, path }) => ipcRenderer.invoke(IPC.chooseProject, { kind, path }),
  printRecord: ({ sessionId, lang }) => ipcRenderer.invoke(IPC.printRecord, { sessionId, lang }),
  showMenu: ({ language, groups }) => ipcRenderer.invoke(IPC.menu, { language, groups }),
  onCommand(run) {
    // the event would hand the page more than the id
    const hear = (_event: unknown, id: unknown) => {
      if (typeof id === 'string') run(id);
    };
    ipcRenderer.on(IPC.command, hear);
    return () => void ipcRenderer.off(IPC.command, hear);
  },
  takeFile: () => ipcRenderer.invoke(IPC.takeFile),
  onFileGiven(run) {
    const hear = () => run();
    ipcRenderer.on(IPC.fileGiven, hear);
    return () => void ipcRenderer.off(IPC.fileGiven, hear);
  },
  platform: process.platform,
};

contextBridge.exposeInMainWorld('loopcheck', bridge);
