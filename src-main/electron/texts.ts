/** Languages of menus and native dialogs. */
export type Language = 'zh' | 'en';

const en = {
  file: 'File',
  newProject: 'New project…',
  openProject: 'Open project…',
  backupProject: 'Back up project…',
  quit: 'Quit',
  edit: 'Edit',
  undo: 'Undo',
  redo: 'Redo',
  cut: 'Cut',
  copy: 'Copy',
  paste: 'Paste',
  selectAll: 'Select all',
  view: 'View',
  reload: 'Reload pages',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  zoomReset: 'Actual size',
  fullScreen: 'Full screen',
  devTools: 'Developer tools',
  help: 'Help',
  apiDocs: 'API description',
  projectFiles: 'Loopcheck project',
  startFailed: 'Loopcheck could not start',
  fault: 'Loopcheck stops after an internal fault',
  portTaken: 'The address of the local service is in use',
  portTakenDetail: 'Scripts that expect the usual address will not find the service on another port.',
  useFreePort: 'Use a free port',
  failed: 'That did not work',
  saved: 'The backup is written',
};

/** One entry a text of the shell; both languages have all of them. */
export type Texts = typeof en;

const zh: Texts = {
  file: '文件',
  newProject: '新建工程…',
  openProject: '打开工程…',
  backupProject: '备份工程…',
  quit: '退出',
  edit: '编辑',
  undo: '撤销',
  redo: '重做',
  cut: '剪切',
  copy: '复制',
  paste: '粘贴',
  selectAll: '全选',
  view: '视图',
  reload: '重新加载页面',
  zoomIn: '放大',
  zoomOut: '缩小',
  zoomReset: '实际大小',
  fullScreen: '全屏',
  devTools: '开发者工具',
  help: '帮助',
  apiDocs: '接口说明',
  projectFiles: 'Loopcheck 工程',
  startFailed: 'Loopcheck 无法启动',
  fault: 'Loopcheck 因内部故障停止',
  portTaken: '本地服务地址已被占用',
  portTakenDetail: '使用其他端口时，按常用地址访问的脚本将找不到该服务。',
  useFreePort: '使用空闲端口',
  failed: '操作未完成',
  saved: '备份已写入',
};

/** Texts for the languages the system prefers, first wish first (`zh-CN`, `en-US` …): Chinese or English. */
export function textsFor(preferred: readonly string[]): Texts {
  const language: Language = preferred[0]?.toLowerCase().startsWith('zh') ? 'zh' : 'en';
  return language === 'zh' ? zh : en;
}
