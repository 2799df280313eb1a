import type { LISTEN_MESSAGES } from '#shared/messages/listen.ts';
import type { Translation } from '../../types.ts';

export const listen: Translation<typeof LISTEN_MESSAGES> = {
  'listen.only':
    '通道“{{channel}}”为只监听通道，不在线路上发送任何报文，因此不能读取、写入或诊断。数值取自其他主站读到的应答。如需发送，请先断开其他主站，再在通道设置中关闭“只监听”（listen_only）。',
  'listen.mute': '本线路的通道只监听，不发送任何报文。',
  'listen.port':
    '通道“{{channel}}”正在 {{port}} 上与其他主站并接监听，搜索会在该线路上发送报文。请先断开其他主站并关闭该通道的“只监听”，或换用其他串口。',
  'listen.no_server': '服务端（从站）通道必须应答，不能只监听；应为 off，或改用主站连接方式',
  'listen.not_heard': '已 {{seconds}} 秒未监听到：其他主站不再读取该点，或读取无应答。',
  'listen.not_asked': '本通道只监听：其他主站读取该点时才有数值。',
  'listen.request': '监听到：其他主站发往从机 {{unit}} 的请求，{{function}}。',
  'listen.repeat': '监听到：同一请求再次发出；从机 {{unit}} 未应答，或应答丢失。',
  'listen.answer': '监听到：给其他主站的应答。',
  'listen.write': '监听到：其他主站向从机 {{unit}} 下发命令，{{function}}，地址 {{address}}：{{value}}。',
  'listen.write_answer': '监听到：对其他主站命令的确认。',
  'listen.stray': '监听到：从机 {{unit}} 的应答，未监听到对应请求，未取值。',
  'listen.second': '监听到：从机 {{unit}} 对同一请求的第二个应答；可能有两台设备地址相同。',
  'listen.unclear': '监听到：既可解释为请求也可解释为应答的报文，未取值。',
  'listen.doubt':
    '迄今未取值的应答：{{unasked}} 个未监听到请求，{{twoWays}} 个有两种解释，{{late}} 个可能是更早请求的迟到应答，{{noise}} 个之前丢失了字节。',
  'listen.two_devices': '从机 {{unit}} 对同一请求应答了两次：可能有两台设备地址相同。',
  'listen.meter_request': '监听到：其他主站发往电表 {{meter}} 的请求，{{function}}。',
  'listen.meter_command': '监听到：其他主站向电表 {{meter}} 下发命令，{{function}}。',
  'listen.meter_stray': '监听到：电表 {{meter}} 的应答，未监听到对应请求，未取值。',
};
