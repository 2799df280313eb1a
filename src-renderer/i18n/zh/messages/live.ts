/** 实时数据：事件流、等待条件、按编码的列表。 */
export const live = {
  'live.numbers': '必须是 {{min}} 到 {{max}} 的整数，用逗号分隔，最多 1000 个',
  'live.codes': '必须是测点编码，最多 {{max}} 个，且不能为空',
  'live.no_codes': '所选通道中没有编码为 {{codes}} 的测点。',
  'live.too_many_readers': '事件流最多同时有 {{most}} 个读取者，现已满。请结束其中一个，或稍后再来。',
  'live.only_http': '事件流只能通过 HTTP 读取；窗口内没有。',
  'live.code_of_many': '编码 {{code}} 存在于多个通道：{{channels}}；请指明设备',
  'live.other_device': '设备“{{device}}”不是通道 {{id}}；请只指明其一',
  'live.fresh_one_device': '一次只读取一台设备的测点；请为每台设备各发一个请求',
  'live.not_sent': '未发送：之前的一项未被接受。',
  'live.value_missing': '缺失；条件 {{condition}} 需要一个用于比较的数值',
  'live.too_many_waits': '最多同时有 {{most}} 个请求等待条件，现已满。请稍后再来。',
  'live.wait_ended': '等待条件期间，测点 {{code}} 已被删除，或工程已切换。',
} as const;
