/** 实时数据：事件流、等待条件、按编码的列表。 */
export const live = {
  'live.numbers': '必须是 {{min}} 到 {{max}} 的整数，用逗号分隔，最多 1000 个',
  'live.codes': '必须是测点编码，最多 {{max}} 个，且不能为空',
  'live.no_codes': '所选通道中没有编码为 {{codes}} 的测点。',
  'live.too_many_readers': '事件流最多同时有 {{most}} 个读取者，现已满。请结束其中一个，或稍后再来。',
  'live.only_http': '事件流只能通过 HTTP 读取；窗口内没有。',
} as const;
