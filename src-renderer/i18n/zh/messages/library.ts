import type { LIBRARY_MESSAGES } from '#shared/messages/library.ts';
import type { Translation } from '../../types.ts';

export const library: Translation<typeof LIBRARY_MESSAGES> = {
  'library.unknown': '没有 ID 为 {{id}} 的设备模板。',
  'library.built_in': '此模板随程序提供，不可删除。请用其他名称另存为自己的模板。',
  'library.name_built_in': '与随程序提供的模板重名，请换一个名称',
  'library.no_name': '须含字母、汉字或数字',
  'library.full': '设备库最多保存 {{most}} 个自建模板，请删除不再使用的模板。',
  'library.too_large': '该模板将超过 {{most}} 字节，请拆分通道。',
  'library.file_too_large': '超过 {{most}} 字节，请拆分',
  'library.no_template': '不是设备模板：{{reason}}',
  'library.no_file': '无法读取（{{code}}）',
  'library.one_channel': '须恰好含一个通道，实际有 {{count}} 个',
  'library.shape': '格式与设备模板不符',
  'library.slaves': '仅当所有测点的从机地址相同时可指定；此模板含 {{slaves}}',
  'library.no_slave': '对此规约没有意义',
};
