import type { remotes as en } from '../en/remotes.ts';
import type { Translation } from '../types.ts';

export const remotes: Translation<typeof en> = {
  title: '其他服务',
  hint: '其他计算机上的 Loopcheck：笔记本、柜内网关。其通道列在左侧，点击即在本窗口显示该服务。由本机去访问它们，页面从不直接访问。',
  none: '尚无其他服务。',
  name: '名称',
  nameHint: '7 号柜',
  address: '地址',
  token: '该服务的令牌',
  noToken: '无',
  look: '查看应答者',
  add: '添加',
  addCompared: '一致，添加',
  compare: '请核对此指纹',
  compareHint: '该服务启动时会显示指纹，其设置中也可查看。若两者不同，则有人从中截取。',
  plain: '应答的是 Loopcheck，但未加密：同一网络中的人都能看到内容，包括令牌。在该服务使用 --tls 即为 https。',
  remove: '移除',
  removeOf: '移除 {{name}}',
  removeText: '不再显示 {{name}}，并在此忘记其令牌。该服务本身不变。',
  reached: '可访问',
  unreached: '无法访问',
  own: '本机',
  ownHint: '本窗口所属的服务',
  back: '返回本机',
  backFrom: '{{name}}，{{address}}：返回本机',
};
