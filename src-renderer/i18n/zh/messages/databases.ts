import type { DATABASE_MESSAGES } from '#shared/messages/databases.ts';
import type { Translation } from '../../types.ts';

export const databases: Translation<typeof DATABASE_MESSAGES> = {
  'database.influx_url': '应为 http:// 或 https:// 地址，例如 http://192.168.1.20:8086，不含用户名、密码、? 和 #',
};
