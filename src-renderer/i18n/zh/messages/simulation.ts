import type { SIMULATION_MESSAGES } from '#shared/messages/simulation.ts';
import type { Translation } from '../../types.ts';

export const simulation: Translation<typeof SIMULATION_MESSAGES> = {
  'simulation.syntax': '第 {{at}} 个字符处（“{{before}}”之后）无法识别，写法示例：230 + sine(60, 10)',
  'simulation.empty': '为空；写法示例：230 + sine(60, 10)，不需要时请不要填写',
  'simulation.sign': '含有公式不支持的符号“{{sign}}”；可用 + - * / %、< <= > >= == !=、&& || !、? : 和函数',
  'simulation.one': '只能是一个公式；两个值之间须有运算符',
  'simulation.function': '函数“{{name}}”不存在；可用函数：{{names}}',
  'simulation.arguments': '{{name}} 的参数应为：{{takes}}，实际有 {{count}} 个',
  'simulation.text': '应为数值处写了文本“{{text}}”；文本只用于 point("编码")',
  'simulation.point_text': 'point 的参数为编码，或通道名与编码，均为文本：point("UA")、point("Meter 1", "UA")',
  'simulation.number': '含有无效的数值：{{text}}',
  'simulation.long': '共 {{length}} 个字符，最多 {{most}} 个',
  'simulation.no_point': '没有测点 {{point}}。',
  'simulation.no_channel': '没有通道 {{channel}}。',
  'simulation.unknown_value': '{{point}} 尚无值。',
  'simulation.circle': '公式循环引用：{{points}}。可用延时断开：delay(point("编码"), 1)。',
  'simulation.no_number': '结果不是数值：除数为零，或对负数开方。',
  'simulation.not_served': '无法提供 {{value}}：{{reason}}',
  'simulation.client': '{{channel}} 是访问设备的通道；只有对外提供数据的通道才能仿真。',
  'simulation.line_faults': '按设定模拟线路故障：{{faults}}',
  'simulation.no_faults': '不再模拟线路故障。',
  'simulation.no_check': '不适用于 {{channel}}：该规约的帧本身没有校验码',
  'simulation.no_exceptions': '不适用于 {{channel}}：只有 Modbus 按地址拒绝',
  'simulation.crossed': '应不小于 {{from}}，不能是 {{to}}',
};
