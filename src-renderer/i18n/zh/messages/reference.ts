import type { REFERENCE_MESSAGES } from '#shared/messages/reference.ts';
import type { Translation } from '../../types.ts';

export const reference: Translation<typeof REFERENCE_MESSAGES> = {
  'reference.needed': '必填：{{form}}',
  'reference.none': '“{{written}}”不是引用；应如 {{form}}',
  'reference.no_object': '{{written}} 没有指明数据对象；应如 {{form}}',
  'reference.no_constraint': '无法确定 {{written}} 的功能约束；应如 {{form}}',
  'reference.not_in_model': '设备模型中没有 {{reference}}',
  'reference.control_block': '{{reference}} 是控制块，本身没有值',
  'reference.no_class_value': '按其公用数据类 {{cdc}}，{{reference}} 没有值；请指明其中一个属性',
  'reference.several_constraints': '{{reference}} 存在于 {{constraints}} 之下；须指明其一：LD/LN.DO.DA[{{first}}]',
  'reference.several_members': '{{reference}} 有多个成员；须指明其一',
  'reference.not_written': '{{type}} 用于写入，而 {{constraint}} 之下不可写；请使用 SP、SE、CF 或 CO',
  'reference.not_read': '{{type}} 用于读取，而 CO 没有值；请使用 ST 下的状态',
  'reference.of_control_block': '{{path}} 属于控制块，不能由 {{type}} 写入',
  'reference.no_state': '{{path}} 为 {{basic}}，不是状态量；请用遥测',
  'reference.a_state': '{{path}} 为 {{basic}}，是状态量；请用遥信',
  'reference.no_yk': '{{path}} 为 {{basic}}；遥控设置 BOOLEAN、双点或整数',
  'reference.no_yt': '{{path}} 为 {{basic}}；遥调设置数值',
  'reference.object_valueless': '该数据对象本身没有值，其组成部分可能有。',
  'reference.class_valueless': '{{cdc}} 本身没有值，其组成部分可能有。',
  'reference.class_value_missing': '该 {{cdc}} 在其公用数据类规定的位置没有值。',
  'reference.unknown': '模型中没有该引用的数据对象或属性。',
  'reference.block_no_point': '控制块不是值，不能作为测点。',
  'reference.array': '{{name}} 是数组；其中一个元素可作为测点，写法如 {{name}}(0)。',
  'reference.members': '{{name}} 有多个成员；其中一个可作为测点。',
  'reference.no_point_value': '{{name}} 不是测点可取的值。',
};
