import { z } from 'zod';
import { say } from '../messages/index.ts';
import { mustBe } from '../messages/schema-words.ts';
import { FieldIssueSchema, FrameTypeSchema, Id, MessageSchema, Nothing, queryInt, Timestamp } from './common.ts';
import { type DownloadedFile, operation } from './operation.ts';

/** Largest file that describes a device, in octets; a protocol may take less. */
export const LARGEST_DOCUMENT = 32 * 1024 * 1024;

/** Most references of one request for point suggestions. */
export const MOST_SUGGESTIONS = 10_000;

/** Largest page of model nodes. */
export const LARGEST_MODEL_PAGE = 10_000;

/** Depth of an answer that has the whole tree: deeper than any model. */
const WHOLE_DEPTH = 100;

export const MODEL_NODE_KINDS = ['logical-device', 'logical-node', 'control-block', 'data-object', 'data-attribute'] as const;

/** What a node of the information model is; fields that say nothing are left out. */
const nodeFields = {
  name: z.string(),
  kind: z.enum(MODEL_NODE_KINDS),
  reference: z.string().describe('without functional constraint, e.g. EMS1LD0/MMXU1.TotW.mag.f; unique in the tree'),
  key: z.string().optional().describe('LD/LN$FC$DO$DA of attributes and control blocks, as in `values`'),
  fc: z.string().optional().describe('functional constraint'),
  type: z.string().optional().describe('basic type of an attribute, e.g. FLOAT32'),
  cdc: z.string().optional().describe('common data class of a data object, e.g. MV'),
  description: z.string().optional(),
  frame_type: FrameTypeSchema.optional().describe('type of the point that can be made of it'),
  child_count: z.int().optional().describe('children below it that this answer does not have'),
};

export const ModelNode = z.object(nodeFields);
export type ModelNode = z.infer<typeof ModelNode>;

/** A node with what lies below it. */
export type ModelTreeNode = ModelNode & { readonly children?: readonly ModelTreeNode[] | undefined };
export const ModelTreeNode: z.ZodType<ModelTreeNode> = z
  .object({
    ...nodeFields,
    get children() {
      return z.array(ModelTreeNode).optional();
    },
  })
  .meta({ id: 'ModelTreeNode' });

const freshness = {
  last_updated_at: Timestamp.nullable().describe('the last successful read'),
  stale: z.boolean().describe('no read has happened yet, or the last one failed'),
  last_error: z.string().nullable().describe('error of the last read'),
  last_error_info: MessageSchema.optional(),
};

const values = z.record(z.string(), z.unknown()).describe('values of the last successful reads, by `LD/LN$FC$DO$DA`');

export const ModelDataSet = z.object({
  name: z.string().describe('LD/LN$name'),
  member_count: z.int(),
  is_deletable: z.boolean().nullable().describe('false: part of the configuration; null: not known'),
  ...freshness,
});
export type ModelDataSet = z.infer<typeof ModelDataSet>;

const Address = z.object({
  value: z.string().describe('its name in the file: sub-network/access point'),
  ip: z.string().nullable(),
  port: z.int().nullable(),
  protocol: z.record(z.string(), z.union([z.string(), z.number()])).describe('`protocol` settings of the channel that belong to it'),
});

const Choice = z.object({
  value: z.string(),
  label: z.string(),
  addresses: z.array(Address).describe('where the file says the device is to be found; empty: it has no Communication for it'),
  about: z
    .object({
      device: z.string().describe('name of the IED'),
      access_point: z.string(),
      manufacturer: z.string(),
      type: z.string(),
      description: z.string(),
    })
    .optional()
    .describe('who the device is; empty where the file does not say; left out by files that an earlier version stored'),
});

/** What a document holds. */
const summaryFields = {
  name: z.string().describe('of the file'),
  octets: z.int(),
  title: z.string().describe('what the file is, its version and revision'),
  choices: z.array(Choice).describe('devices in the file; `value` is the `choice` to store'),
};

export const ModelDocument = z.object({ ...summaryFields, stored_at: Timestamp, choice: z.string().describe('empty: none chosen') });
export type ModelDocument = z.infer<typeof ModelDocument>;

const warnings = z.array(FieldIssueSchema).describe('allowed and probably worth a look');

export const DocumentReport = z.object({
  ...summaryFields,
  warnings,
  choice: z.string().describe('the device that is chosen now, or would be; empty: a choice is needed'),
  stored: z.boolean(),
});
export type DocumentReport = z.infer<typeof DocumentReport>;

export const DocumentDevices = z.object({ ...summaryFields, warnings });
export type DocumentDevices = z.infer<typeof DocumentDevices>;

export const DeviceModel = z.object({
  state: z.enum(['unknown', 'learning', 'known', 'failed']),
  source: z
    .enum(['device', 'cache', 'file', 'table'])
    .nullable()
    .describe('device: browsed; cache: browsed before, revision unchanged; file: the document; table: the point table'),
  done: z.int().describe('steps of learning done'),
  total: z.int().describe('steps of learning known so far'),
  error: z.string().nullable().describe('why learning failed'),
  error_message: MessageSchema.optional(),
  learned_at: Timestamp.nullable(),
  identity: z.object({ vendor: z.string(), model: z.string(), revision: z.string() }).nullable(),
  configuration_revision: z.string(),
  counts: z.object({
    logical_devices: z.int(),
    logical_nodes: z.int(),
    data_objects: z.int(),
    attributes: z.int(),
    data_sets: z.int(),
  }),
  revision: z.int().describe('changes when nodes or data sets change'),
  data_sets: z.array(ModelDataSet),
  document: ModelDocument.nullable(),
});
export type DeviceModel = z.infer<typeof DeviceModel>;

export const PointSuggestion = z.object({
  reference: z.string().describe('as it was asked for'),
  point: z
    .object({
      frame_type: FrameTypeSchema,
      code: z.string().describe('free in the channel'),
      name: z.string(),
      reference: z.string(),
      unit: z.string(),
      mul_coe: z.number().optional().describe('scale by the configuration of the device; left out: 1'),
      add_coe: z.number().optional().describe('left out: 0'),
      protocol: z.record(z.string(), z.unknown()),
    })
    .nullable(),
  reason: z.string().describe('why there is no point; empty otherwise'),
  reason_message: MessageSchema.optional(),
  present_code: z.string().nullable().describe('code of the point of the table that has this reference and type already'),
});
export type PointSuggestion = z.infer<typeof PointSuggestion>;

export const ModelDifference = z.object({
  kind: z.enum(['only-in-file', 'only-in-device', 'type', 'data-set', 'report-block', 'revision']),
  reference: z.string(),
  file: z.string(),
  device: z.string(),
});
export type ModelDifference = z.infer<typeof ModelDifference>;

const documentFile = z.file({ error: mustBe(say('field.any_file')) }).describe('ICD, CID, IID or SCD file, 32 MiB at most');

const channelId = queryInt(1, Number.MAX_SAFE_INTEGER);
/** Media type of an SCL file. */
export const SCL_MEDIA_TYPE = 'application/xml';

const FROM_MEMORY = 'From memory, never causes protocol I/O; a stopped channel answers as well.';
const ANY_SPELLING = 'References are found in any spelling: dots, dollar signs, `[FC]` at the end.';

export const iec61850Operations = {
  iec61850TreeData: operation({
    method: 'GET',
    path: '/api/channel/iec61850-tree-data',
    summary: 'The information model as a tree, with the last values of the data sets',
    description:
      `${FROM_MEMORY} The device is stale when any data set is. With \`parent\` the tree begins with its children and \`values\` has what lies below ` +
      `it; \`depth\` cuts the tree, 0 answers the values alone. ${ANY_SPELLING}`,
    tag: 'model',
    effect: 'query',
    query: z.object({
      channel_id: channelId,
      parent: z.string().max(255).optional().describe('default: the device'),
      depth: queryInt(0, WHOLE_DEPTH).optional().describe('levels of the tree; default all'),
    }),
    body: Nothing,
    data: z.object({ tree: z.array(ModelTreeNode), ...freshness, values }),
    errors: [404],
  }),
  iec61850DatasetDetail: operation({
    method: 'GET',
    path: '/api/channel/iec61850-dataset-detail',
    summary: 'Members of a data set with their last values',
    description: `${FROM_MEMORY} A failed read keeps the values of the one before. ${ANY_SPELLING}`,
    tag: 'model',
    effect: 'query',
    query: z.object({ channel_id: channelId, dataset: z.string().min(1).max(255) }),
    body: Nothing,
    data: z.object({
      dataset: z.string().describe('LD/LN$name'),
      members: z
        .array(z.object({ reference: z.string(), fc: z.string(), description: z.string(), cdc: z.string(), type: z.string() }))
        .describe('in the order of the values; `reference` is LD/LN$FC$DO[$DA]'),
      ...freshness,
      values,
    }),
    errors: [404],
  }),
  deviceModel: operation({
    method: 'GET',
    path: '/api/channel/model',
    summary: 'How far the information model is known, its data sets and its document',
    description: FROM_MEMORY,
    tag: 'model',
    effect: 'query',
    query: z.object({ channel_id: channelId }),
    body: Nothing,
    data: DeviceModel,
    errors: [404],
  }),
  modelNodes: operation({
    method: 'GET',
    path: '/api/channel/model_nodes',
    summary: 'Nodes of the information model: the children of one, or those a search finds',
    description:
      `${FROM_MEMORY} In the order of the model. \`search\` finds nodes whose reference or description holds every word; it looks in the whole ` +
      `model, and \`total\` is then the number found so far, with \`more\` when there are others. ${ANY_SPELLING}`,
    tag: 'model',
    effect: 'query',
    query: z.object({
      channel_id: channelId,
      parent: z.string().max(255).optional().describe('default: the device'),
      search: z.string().trim().min(1).max(200).optional(),
      page: queryInt(1, 1_000_000).optional().describe('default 1'),
      page_size: queryInt(1, LARGEST_MODEL_PAGE).optional().describe('default 1000'),
    }),
    body: Nothing,
    data: z.object({
      revision: z.int().describe('of the model, as in /api/channel/model'),
      total: z.int(),
      more: z.boolean(),
      items: z.array(ModelNode),
    }),
    errors: [404],
  }),
  suggestPoints: operation({
    method: 'POST',
    path: '/api/channel/model_points',
    summary: 'Points that suit nodes of the information model, ready to be added',
    description: `${FROM_MEMORY} Changes nothing; POST /api/device/add_points adds them. A data object gives the point of its value.`,
    tag: 'model',
    effect: 'query',
    query: Nothing,
    body: z.object({ channel_id: Id, references: z.array(z.string().min(1).max(255)).min(1).max(MOST_SUGGESTIONS) }),
    data: z.object({ items: z.array(PointSuggestion).describe('in request order') }),
    errors: [404],
  }),
  modelDifferences: operation({
    method: 'GET',
    path: '/api/channel/model_differences',
    summary: 'Where the document of the channel and the device differ',
    description: FROM_MEMORY,
    tag: 'model',
    effect: 'query',
    query: z.object({ channel_id: channelId }),
    body: Nothing,
    data: z.object({
      comparable: z.boolean().describe('false: document or learnt model is missing'),
      items: z.array(ModelDifference),
      more: z.int().describe('differences beyond this list'),
    }),
    errors: [404],
  }),
  exportModel: operation({
    method: 'GET',
    path: '/api/channel/model_export',
    summary: 'The information model as an SCL file (IID)',
    description:
      `${FROM_MEMORY} Types, data sets, control blocks of reports, logs and setting groups, control models and scales as they were learnt, the address of the channel; words and ` +
      'descriptions of the SCL file of the channel where it has one. GOOSE and sampled values are not in it; a comment in the file names what the device has and the file has not.',
    tag: 'model',
    effect: 'query',
    query: z.object({ channel_id: channelId }),
    body: Nothing,
    download: { mediaTypes: [SCL_MEDIA_TYPE] },
    data: z.custom<DownloadedFile>(),
    errors: [404],
  }),
  storeDocument: operation({
    method: 'POST',
    path: '/api/channel/document',
    summary: 'Look at a file that describes the device (SCL), or keep it with the channel',
    description:
      '`preview` changes nothing and answers the devices in the file. `store` takes the place of an earlier file, sets the device that is chosen and ' +
      'rebuilds a started channel as a changed connection setting does. Without `choice` the present one stays, or the only one is taken. ' +
      'With `address` a client channel takes IP address, port and selectors from the file. ' +
      'Encodings: what byte order mark or XML declaration say, UTF-8 otherwise.',
    tag: 'model',
    effect: 'repeatable',
    line: true,
    query: z.object({
      channel_id: channelId,
      mode: z.enum(['preview', 'store']),
      choice: z.string().trim().min(1).max(255).optional().describe('device in the file, one of `choices`'),
      address: z
        .string()
        .trim()
        .min(1)
        .max(255)
        .optional()
        .describe(
          'client channels: address of the device in the file, one of its `addresses`; what it says takes the place of the settings',
        ),
    }),
    body: z.object({ file: documentFile }),
    upload: { largestFile: LARGEST_DOCUMENT },
    data: DocumentReport,
    errors: [404, 409, 502, 503, 504, 507],
  }),
  documentDevices: operation({
    method: 'POST',
    path: '/api/channel/document_devices',
    summary: 'Devices that a file describes (SCL), without a channel',
    description:
      'Changes nothing and keeps nothing. What a device of the file needs of a new channel: `value` for its `ied_name`, and of one of its `addresses` ' +
      '`ip`, `port` and `protocol`. POST /api/channel/document keeps the file with the channel then.',
    tag: 'model',
    effect: 'query',
    query: z.object({ protocol_type: queryInt(1, 5).describe('5 IEC 61850; the other protocols have no such files') }),
    body: z.object({ file: documentFile }),
    upload: { largestFile: LARGEST_DOCUMENT },
    data: DocumentDevices,
  }),
  deleteDocument: operation({
    method: 'DELETE',
    path: '/api/channel/document',
    summary: 'Forget the file that describes the device; a started channel is rebuilt',
    tag: 'model',
    effect: 'repeatable',
    line: true,
    query: z.object({ channel_id: channelId }),
    body: Nothing,
    data: z.object({ deleted: z.boolean().describe('false: there was none') }),
    errors: [404, 409, 502, 503, 504, 507],
  }),
} as const;
