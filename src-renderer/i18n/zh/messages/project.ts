import type { PROJECT_MESSAGES } from '#shared/messages/project.ts';
import type { Translation } from '../../types.ts';

export const project: Translation<typeof PROJECT_MESSAGES> = {
  'project.no_port': '本机没有串口 {{port}}。请插入适配器，或在通道设置中另选串口。',
  'project.no_secrets': '工程来源处设有口令或代码，它们不随工程文件传递：{{names}}。请为此通道重新设置；不需要的可在该处删除。',
  'project.no_document': '工程中没有描述 {{device}} 的模型文件，请重新导入到此通道。',
  'project.no_file': '设置中指定的文件 {{path}} 不在本机。请将其复制到该处，或在通道设置中另行指定。',
  'project.unknown_protocol':
    '本程序不支持此通道的规约（编号 {{protocol}}）。该通道保留在文件中但不显示；请用更新的 Loopcheck 打开工程后使用。',
  'project.text_twice': '第 {{line}} 行的名称 {{name}} 在同一对象中是第二次出现，须删去其中一个',
  'project.text_not_json': '从第 {{line}} 行第 {{column}} 列起不是 JSON，请检查该处及其前面的内容',
  'project.text_encoding': '不是 UTF-8 文本，请将文件另存为 UTF-8',
  'project.text_merge': '第 {{line}} 行有未完成的版本合并，请完成合并并删除其标记',
  'project.text_object': '须为 GET /api/project/text 所给形式的对象',
  'project.text_format': '须为“{{format}}”：这不是工程的文本形式',
  'project.text_version': '须为 {{newest}}，即文本形式的版本',
  'project.text_newer': '为文本形式的版本 {{version}}，本程序可读版本 {{newest}}，请用更新的 Loopcheck 读取',
  'project.text_channels': '须为通道列表',
  'project.text_many_channels': '有 {{count}} 个通道，一个文本最多 {{most}} 个，请拆分',
  'project.text_too_large': '工程有 {{count}} 个通道，一个文本最多 {{most}} 个。请将各通道分别存为文本。',
  'project.text_left_out':
    '列出了此文本中没有的通道，因为写出文本的程序不识别其规约：{{names}}；如需这些通道，请用更新的 Loopcheck 写出文本',
  'project.text_points': '须为测点列表',
  'project.text_many_points': '有 {{count}} 个测点，一个通道最多 {{most}} 个',
  'project.text_name_twice': '已出现在 {{place}}，名称在工程内不可重复',
  'project.text_name_taken': '已是当前工程的通道名称，请改名，或用此文本新建工程',
  'project.text_code_twice': '已出现在 {{place}}，编码在通道内不可重复',
  'project.text_slow': '读取所需时间超过 {{seconds}} s，请按通道拆分',
  'project.text_memory': '读取所需内存超过 {{megabytes}} MB，请按通道拆分',
  'project.text_settings': '属于整个工程，添加通道时不使用',
};
