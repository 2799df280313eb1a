/** Headers of lists by the meaning of their columns, in the words of manuals, tools and drawings. */
import type { ListRole } from '#shared/domain/list-mapping.ts';
import { remembered } from '../../../platform/remembered.ts';
import { COMMON_COLUMNS } from '../columns.ts';

/** Words that are enough by themselves, best first, then words that only lean that way. */
const WORDS: Partial<Record<ListRole, readonly [sure: string, likely?: string]>> = {
  code: [
    'tag name|tagname|point code|tag|mnemonic|unique id|identifier|symbol|short name|测点编码|点编码|编码|标识符',
    'code|id|key|variable name|变量名|代码|标识|object id',
  ],
  name: [
    'name|english|中文|signal name|point name|parameter name|register name|parameter|signal|data item|item name|variable|measurement|quantity|data point|point description|signal description|名称|信号名称|测点名称|参数名称|参数名|参数|变量名称|数据名称|数据项名称|数据项|寄存器名称|信息名称|点名|中文名称|信号描述|点描述|遥测名称|遥信名称|遥控名称|遥调名称',
    'german|deutsch|chinese|英文|description|definition|meaning|label|title|content|english name|data name|data|描述|含义|内容|定义|意义|项目|信号|说明',
  ],
  point_type: ['point type|测点类型|点类型|四遥类型|四遥|signal class|信号类型'],
  slave_id: [
    'slave|slave id|slave address|unit id|unit identifier|device id|device address|station|station no|node id|从机地址|从站地址|从站号|站号|设备地址|从机|common address|common addr|asdu address|ca|公共地址|站地址|表号|表地址|meter number|meter address',
    'node|device|设备号',
  ],
  address: [
    'address|addr|register address|reg addr|register|reg|modbus address|modbus register|modbus addr|plc address|start address|starting address|start register|register number|register no|reg no|data address|first register|holding register address|pdu address|protocol address|register offset|address offset|opc item path|opcitempath|item path|ioa|information object address|object address|data identifier|di|地址|寄存器地址|寄存器|起始地址|首地址|寄存器号|寄存器编号|通讯地址|通信地址|参数地址|modbus地址|plc地址|协议地址|信息体地址|信息对象地址|operand|软元件|数据标识|数据标识编码|标识编码|偏移地址|地址偏移|寄存器偏移|绝对地址|十进制地址|十六进制地址|寄存器起始地址|点号',
    'offset|index|start|position|register id|no of register|registers|modbus|偏移|位置',
  ],
  address_part: ['di3|di2|di1|di0'],
  address_last: [
    'end address|last register|end register|stop address|last address|to address|结束地址|终止地址|末地址|截止地址',
    'end|to|结束',
  ],
  length: [
    'length|len|size|number of registers|no of registers|no of regs|num registers|number of words|registers|words|word count|register count|reg count|quantity|qty|寄存器数|寄存器数量|寄存器个数|寄存器长度|数据长度|长度|字节数|字数|字长|个数|byte count|bytes|number of bytes|count',
    'bits|width|数量|位数|word',
  ],
  function: [
    'function|function code|function codes|fc|func code|func|fn code|modbus function|register type|reg type|input type|object type|primary table|data area|memory area|read function|read function code|功能码|功能代码|功能号|寄存器类型|数据区|存储区|读功能码|命令码|write type',
    'table|area|block type|space|区|object',
  ],
  type: [
    'data type|datatype|type|value type|variable type|data format|number format|var type|type of data|type identification|type id|asdu type|ti|类型|数据类型|数据格式|变量类型|值类型|数值类型|存储类型|类型标识|asdu类型',
    'format|encoding|格式|representation',
  ],
  format: ['data format|format|数据格式|格式'],
  order: [
    'byte order|word order|byteorder|wordorder|endianness|endian|register order|swap|byte swap|word swap|字节序|字节顺序|字序|高低字|大小端|字节顺序',
    'order|顺序',
  ],
  bit: ['bit|bit offset|bit no|bit number|bit position|bit index|位|位偏移|位号|比特位|bit位', 'bitpos'],
  factor: [
    'factor|scale|scale factor|scaling|scaling factor|multiplier|coefficient|gain|ratio|resolution|divisor|divider|conversion factor|conversion|multiply|filters multiply|scale factor sf|系数|倍率|比例|比例系数|乘系数|缩放|缩放系数|缩放因子|增益|比例因子|倍数|乘数|换算|换算系数|换算关系|因子|放大倍数|分辨率|最小单位|数据精度|精度|分辨力',
    'precision|accuracy|coef|step|magnification|sf|scaled|lsb',
  ],
  offset: [
    'value offset|scale offset|offset value|additive offset|zero offset|intercept|加系数|偏移量|偏移值|偏置|基准|基值',
    'offset|add|bias|偏移',
  ],
  decimals: ['decimals|decimal places|decimal point|number of decimals|dp|小数位|小数位数|小数点'],
  raw_low: ['raw low|rawlow'],
  raw_high: ['raw high|rawhigh'],
  scaled_low: ['scaled low|scaledlow'],
  scaled_high: ['scaled high|scaledhigh'],
  unit: [
    'unit|units|eng unit|eng units|engineering unit|engineering units|engunit|eu|uom|unit of measure|unit of measurement|dimension|单位|工程单位|量纲|计量单位',
  ],
  access: [
    'access|r w|rw|read write|write read|w r|access type|access right|access rights|permission|permissions|client access|read only|readonly|writable|writeable|读写|读写属性|读 写|读写类型|读写权限|访问|访问权限|访问类型|读写性|权限|操作权限',
    'attribute|mode|property|direction|attr|属性|操作|方式',
  ],
  min_limit: ['low limit|lower limit|min limit|alarm low|下限值|下限|低限', 'min|minimum|min value|minimum value|最小值|最小'],
  max_limit: ['high limit|upper limit|max limit|alarm high|上限值|上限|高限', 'max|maximum|max value|maximum value|最大值|最大'],
  texts: [
    'values|enum|enumeration|enum values|value description|states|options|symbols|value mapping|bit definition|bit description|枚举|枚举值|取值|取值说明|状态描述|值定义|数值含义|位定义|bit定义|数值说明',
    'value|mapping|lookup',
  ],
  category: [
    'group|category|section|block|subsystem|module|分组|分类|组别|类别|模块|所属模块|子系统',
    'system|class|type of signal|系统|组|设备|装置',
  ],
  reference: ['object reference|reference|对象引用|引用'],
  note: [
    'step size|step width|increment|remark|remarks|note|notes|comment|comments|explanation|detail|details|default|default value|range|value range|valid range|data range|unit range|备注|说明|注释|注解|范围|取值范围|数据范围|默认值|出厂值|初始值|desc|description',
    'info|information|example|描述|版本',
  ],
  ignore: [
    'no|nr|item|item no|seq|sequence|serial number|sn|s n|row|序号|编号|行号|scan interval|scan rate|device class|state class|respect data type|tag type|scan class',
  ],
};

const SURE = 1;
const LIKELY = 0.62;
/** A header that has the word among others. */
const AMONG = 0.8;

interface Entry {
  readonly role: ListRole;
  readonly word: string;
  readonly weight: number;
}

/** Headers of our own tables are known as well, by the role they are for. */
const OWN_ROLES: Readonly<Record<string, ListRole>> = {
  code: 'code',
  name: 'name',
  frame_type: 'point_type',
  slave_id: 'slave_id',
  address: 'address',
  func_code: 'function',
  mul_coe: 'factor',
  add_coe: 'offset',
  unit: 'unit',
  min_limit: 'min_limit',
  max_limit: 'max_limit',
  bit: 'bit',
  category: 'category',
  item: 'category',
  reference: 'reference',
  note: 'note',
};

const ENTRIES: readonly Entry[] = [
  ...Object.entries(WORDS).flatMap(([role, [sure, likely = '']]) => [
    ...sure.split('|').map((word) => ({ role: role as ListRole, word, weight: SURE })),
    ...likely
      .split('|')
      .filter((word) => word !== '')
      .map((word) => ({ role: role as ListRole, word, weight: LIKELY })),
  ]),
  ...COMMON_COLUMNS.flatMap(({ key, header }) => {
    const role = OWN_ROLES[key];
    return role ? [{ role, word: header, weight: SURE }] : [];
  }),
];

/** Words without their blanks: `scalefactor` is `scale factor`. */
const byWord = Map.groupBy(ENTRIES, ({ word }) => word.replaceAll(' ', ''));
const CHINESE = ENTRIES.filter(({ word }) => /[一-鿿]/.test(word) && word.length > 1);
const LATIN = ENTRIES.filter(({ word }) => !/[一-鿿]/.test(word)).map((entry) => ({
  ...entry,
  inside: ` ${entry.word} `,
  count: entry.word.split(' ').length,
}));

/** A header as its words are compared: without brackets and what is in them, in small letters, words apart by one blank. */
export const headerKey = remembered(keyOf);

/** Headers are shorter; what is longer is a sentence. */
const LONGEST_KEY = 300;

function keyOf(written: string): string {
  const header = written.slice(0, LONGEST_KEY);
  return spaced(header.replace(/[([（【［{].*?[)\]）】］}]/g, ' ')) || spaced(header);
}

function spaced(header: string): string {
  return header
    .normalize('NFKC')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** How well a header fits each role, 0 to 1; roles that it says nothing of are missing. */
export const headerScores = remembered(scoresOf);

function scoresOf(header: string): ReadonlyMap<ListRole, number> {
  const key = headerKey(header);
  const scores = new Map<ListRole, number>();
  if (key === '') return scores;
  const offer = (role: ListRole, score: number) => scores.set(role, Math.max(scores.get(role) ?? 0, score));
  for (const { role, weight } of byWord.get(key.replaceAll(' ', '')) ?? []) offer(role, weight);
  if (scores.size > 0) return scores;
  const padded = ` ${key} `;
  const count = key.split(' ').length;
  // the end of a header says what it is of
  for (const { role, weight, inside, count: own } of LATIN) {
    if (padded.includes(inside)) offer(role, weight * AMONG * Math.min(1, 0.5 + (padded.endsWith(inside) ? 0.1 : 0) + (0.4 * own) / count));
  }
  const length = key.replaceAll(' ', '').length;
  for (const { role, word, weight } of CHINESE) {
    if (key.includes(word)) offer(role, weight * AMONG * Math.min(1, 0.55 + (0.45 * word.length) / length));
  }
  return scores;
}
