import { z } from 'zod';
import { FieldIssueSchema, FrameTypeSchema, MessageSchema, Timestamp } from './common.ts';

/** Media type of an SCL file. */
export const SCL_MEDIA_TYPE = 'application/xml';

/** Most references of one request for point suggestions. */
export const MOST_SUGGESTIONS = 10_000;

/** Largest page of model nodes. */
export const LARGEST_MODEL_PAGE = 10_000;

/** Depth of an answer that has the whole tree: deeper than any model. */
export const WHOLE_DEPTH = 100;

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

/** What every answer from memory tells of its age. */
export const freshness = {
  last_updated_at: Timestamp.nullable().describe('the last successful read'),
  stale: z.boolean().describe('no read has happened yet, or the last one failed'),
  last_error: z.string().nullable().describe('error of the last read'),
  last_error_info: MessageSchema.optional(),
};

export const values = z.record(z.string(), z.unknown()).describe('values of the last successful reads, by `LD/LN$FC$DO$DA`');

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
