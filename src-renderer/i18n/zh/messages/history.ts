import type { HISTORY_MESSAGES } from '#shared/messages/history.ts';
import type { Translation } from '../../types.ts';

export const history: Translation<typeof HISTORY_MESSAGES> = {
  'history.file': '记录数据文件 {{path}}：{{what}}。',
  'history.disk_full': '记录数据文件 {{path}}：磁盘已满（{{code}}）；请腾出空间，之后自动继续记录。',
  'history.newer': '记录数据文件 {{path}} 由更新版本的 Loopcheck 写入；请用新版本打开工程，或移走该文件。',
  'history.thread_ended': '保存记录数据的线程已结束，将重新启动。',
  'history.overrun': '数值到来的速度超过写入速度；请减少记录的测点，或只记录变化。',
  'history.triggered': '开始记录：{{trigger}}',
  'history.kept':
    '{{from}} 至 {{to}} 期间没有记录：可能服务未运行，或本机时钟被拨快。这段时间在保留期限中最多按一天计，此前的数值相应多保留一段时间。如果时钟不对，请校正。',
  'history.ahead': '本机时钟偏快期间记录的数值，时间一直到 {{until}}；它们保留这些时间，通道空间用尽时最先删除。如果现在时钟不对，请校正。',
  'history.no_series': '不可跟随录制数值文件；条件针对测点的当前值',
  'history.band_twice': '重复指定了“{{code}}”；每个测点只有一个死区',
  'history.band_nobody': '该通道没有编码为“{{code}}”的测点；有了该测点后死区才生效',
  'history.points': '应为 1 到 {{max}} 个测点，格式为 通道:类型:编号，用逗号分隔，例如 1:0:5',
  'history.points_or_code': '请用 `points` 或 `code` 指定测点，二者选一',
  'history.too_many': '指定了 {{count}} 个测点；一次最多 {{max}} 个',
  'history.time': '应为带时区的时间，例如 2026-01-31T08:00:00Z',
  'history.backwards': '不晚于 `from`；时间范围的终点在起点之前',
  'history.too_long': '比 `from` 晚 {{years}} 年以上；请缩小范围',
  'history.busy': '已有 {{most}} 个记录数据查询在进行，请稍后再试。',
};
