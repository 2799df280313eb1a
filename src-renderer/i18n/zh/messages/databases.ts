import type { DATABASE_MESSAGES } from '#shared/messages/databases.ts';
import type { Translation } from '../../types.ts';

export const databases: Translation<typeof DATABASE_MESSAGES> = {
  'database.influx_url': '应为 http:// 或 https:// 地址，例如 http://192.168.1.20:8086，不含用户名、密码、? 和 #',
  'database.measurement': '不可以 # 或 _ 开头，InfluxDB 保留了这些字符',
  'database.postgres_url': '应为 postgresql://主机:5432/数据库，不含用户名和密码',
  'database.table': '应为由小写字母、数字和 _ 组成的表名，例如 loopcheck_values 或 plant.loopcheck_values',
  'database.influx_credentials': '{{url}} 不接受令牌或用户名和密码（状态 {{status}}）：{{reason}}',
  'database.influx_none': '{{url}} 没有数据库或存储桶“{{database}}”（状态 404）：{{reason}}',
  'database.influx_failed': '{{url}} 未接收数据行（状态 {{status}}）：{{reason}}',
  'database.influx_later': '{{url}} 要求稍后再来（状态 {{status}}）。',
  'database.credentials': '{{url}} 不接受用户名和密码（代码 {{code}}）：{{reason}}',
  'database.no_password': '{{url}} 要求密码，而尚未设置。',
  'database.none': '{{url}}：没有该数据库（代码 {{code}}）：{{reason}}',
  'database.failed': '{{url}} 拒绝（代码 {{code}}）：{{reason}}',
  'database.no_table': '{{url}} 没有表 {{table}}；请用手册中的语句建立，或允许自动建立。',
  'database.no_key': '{{url}} 的表 {{table}} 没有包含 session 和 sequence 的唯一索引，重发的记录会出现两次；请按手册添加主键。',
  'database.no_tls': '{{url}} 不提供加密连接；请在服务器上启用 TLS，或在此处关闭。',
};
