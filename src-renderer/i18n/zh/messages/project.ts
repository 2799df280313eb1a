import type { PROJECT_MESSAGES } from '#shared/messages/project.ts';
import type { Translation } from '../../types.ts';

export const project: Translation<typeof PROJECT_MESSAGES> = {
  'project.no_port': '本机没有串口 {{port}}。请插入适配器，或在通道设置中另选串口。',
  'project.no_secrets': '工程来源处设有口令或代码，它们不随工程文件传递：{{names}}。请为此通道重新设置；不需要的可在该处删除。',
  'project.no_document': '工程中没有描述 {{device}} 的模型文件，请重新导入到此通道。',
  'project.no_file': '设置中指定的文件 {{path}} 不在本机。请将其复制到该处，或在通道设置中另行指定。',
  'project.unknown_protocol':
    '本程序不支持此通道的规约（编号 {{protocol}}）。该通道保留在文件中但不显示；请用更新的 Loopcheck 打开工程后使用。',
};
