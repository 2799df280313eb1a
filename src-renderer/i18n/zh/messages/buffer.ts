import type { BUFFER_MESSAGES } from '#shared/messages/buffer.ts';
import type { Translation } from '../../types.ts';

export const buffer: Translation<typeof BUFFER_MESSAGES> = {
  'buffer.file': '待发记录文件 {{path}}：{{what}}。',
  'buffer.disk_full': '待发记录文件 {{path}}：磁盘已满（{{code}}）；请释放空间，之后会自动继续。',
  'buffer.disk_low': '待发记录文件 {{path}}：所在磁盘的剩余空间不足 {{mb}} MiB，留给工程使用；请释放空间，之后会自动继续。',
  'buffer.newer': '待发记录文件 {{path}} 由更新版本的 Loopcheck 写入；请升级本程序，或移走该文件。',
  'buffer.thread_ended': '保存待发记录的线程已结束，将重新启动。',
  'buffer.sparkplug': '不可用于 Sparkplug B：服务器不确认其消息，无从得知记录是否送达；请关闭',
  'buffer.qos': '服务质量为 0 时不可设置：此时服务器不作确认，无从得知记录是否送达；请选 1 或 2',
};
