import type { SYSTEM_MESSAGES } from '#shared/messages/system.ts';
import type { Translation } from '../../types.ts';

export const system: Translation<typeof SYSTEM_MESSAGES> = {
  'system.with_code': '{{what}}（{{code}}）',
  'system.disk_full': '磁盘已满',
  'system.no_permission': '没有权限',
  'system.read_only_drive': '该磁盘只能读取',
  'system.no_folder': '其文件夹不存在，或该位置是一个文件',
  'system.used': '正被其他程序使用',
  'system.too_many_files': '打开的文件过多',
  'system.drive_error': '磁盘报告错误',
  'system.other': '被系统拒绝',
};
