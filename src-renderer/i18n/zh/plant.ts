import type { plant as en } from '../en/plant.ts';
import type { Translation } from '../types.ts';

export const plant: Translation<typeof en> = {
  title: '全站',
  hint: '所有通道',
  summary_other: '{{count}} 个通道，已启动 {{started}} 个',
  startAll: '全部启动',
  stopAll: '全部停止',
  column: {
    channel: '通道',
    protocol: '协议和地址',
    state: '状态',
    reading: '读取',
    cycle: '周期（实际）',
    read: '成功',
    failed: '失败',
    silent: '无应答',
    lastError: '最近错误',
    actions: '启动和停止',
  },
  reading: { automatic: '自动', once: '单次，{{percent}}%', failed: '失败', off: '关闭' },
  cycleReal: '{{set}}（{{real}}）',
  clients_other: '{{count}} 个客户端',
  job: { doctor: '连接诊断', find: '搜索', scan: '扫描', table: '点表核对设备' },
  status: {
    label: '服务状态',
    channels_other: '{{count}} 个通道',
    reading: '{{count}} 个读取中',
    broken: '{{count}} 个未连接',
    silent: '{{count}} 个无应答',
    cause: '查找 {{name}} 的原因',
    rate: '每秒 {{rate}} 次请求',
    load: '负载 {{percent}} %',
    loadHint: '服务占用的处理器时间，按单核计。',
    job: '{{job}} {{percent}}%',
    api: 'API {{address}}',
  },
};
