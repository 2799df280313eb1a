import type { requests as en } from '../en/requests.ts';
import type { Translation } from '../types.ts';

export const requests: Translation<typeof en> = {
  title: '本页的接口请求',
  hint: '在此进行的操作所对应的接口请求，最新的在前：读取、写入、更改、导入和导出。不含密码和令牌。',
  none: '本页尚未进行操作。',
  at: '时间',
  request: '请求',
  outcome: '结果',
  outcomes: { open: '进行中', done: '完成', refused: '被拒绝' },
  form: '写成',
  text: '请求文本',
  copy: '复制',
  copied: '请求已复制到剪贴板。',
  copyFailed: '剪贴板不可用，请选中文本后手动复制。',
  hold: {
    begin: '只复制操作，不发送',
    title: '操作不会发送',
    hint: '此后按下的操作只写成 curl、PowerShell 或 Python，不发送。',
    held_other: '{{count}} 个请求',
    copy: '复制所写的请求，并恢复发送',
    copied_other: '{{count}} 个请求已复制到剪贴板，未发送。操作已恢复发送。',
    end: '恢复发送',
  },
  operates: '运行此请求将操作设备，或更改所服务的值。',
};
