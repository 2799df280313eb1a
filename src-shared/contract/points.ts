import { z } from 'zod';
import { COMMAND_STEPS, QUALITIES, QUALITY_FLAGS } from '../domain/enums.ts';
import {
  type FilledByProtocol,
  type FilledByTable,
  POINT_FIELD_KEYS,
  POINT_FIELDS,
  type PointField,
  type PointFieldKey,
  type PointFieldKind,
  type PointFieldValue,
} from '../domain/point-fields.ts';
import { FrameTypeSchema, Id, lineOfText, linesOfText, MessageSchema, Timestamp } from './common.ts';
import { ReadingDetailFields } from './reading-detail.ts';

type SchemaOf<Key extends PointFieldKey> = z.ZodType<PointFieldValue<Key>, PointFieldValue<Key>>;
type StoredShape = { [Key in PointFieldKey]: SchemaOf<Key> };
type NewShape = {
  [Key in PointFieldKey]: Key extends FilledByProtocol
    ? z.ZodOptional<SchemaOf<Key>>
    : Key extends FilledByTable
      ? z.ZodDefault<SchemaOf<Key>>
      : SchemaOf<Key>;
};

function plainSchema(kind: PointFieldKind): z.ZodType {
  switch (kind.is) {
    case 'type':
      return FrameTypeSchema;
    case 'text': {
      const text = kind.trim ? z.string().trim() : z.string();
      return (kind.needed ? text.min(1) : text).max(kind.max);
    }
    case 'decode':
      return z.string().max(kind.max);
    case 'whole':
      return z.int().min(kind.min).max(kind.max);
    case 'number':
      return z.number();
    case 'yesNo':
      return z.boolean();
    case 'settings':
      return z.record(z.string(), z.unknown());
  }
}

/** A field as it is stored and answered. */
function storedSchema({ kind, isNullable, about }: PointField): z.ZodType {
  const plain = plainSchema(kind);
  const schema = isNullable ? plain.nullable() : plain;
  return about === undefined ? schema : schema.describe(about);
}

/** A field as somebody enters it: texts must be ones that can be shown and kept. */
function enteredSchema(field: PointField): z.ZodType {
  const schema = storedSchema(field);
  if (field.kind.is !== 'text' || !(schema instanceof z.ZodString)) return schema;
  return field.kind.lines === 'many' ? schema.regex(...linesOfText) : schema.regex(...lineOfText);
}

/** A field of a new point. */
function newSchema(field: PointField): z.ZodType {
  const schema = enteredSchema(field);
  const { start, aboutNew } = field;
  if (start === undefined) return schema;
  const filled = start === 'protocol' ? schema.optional() : schema.default(start.value);
  return aboutNew === undefined ? filled : filled.describe(aboutNew);
}

function shapeOf(schemaOf: (field: PointField) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(POINT_FIELD_KEYS.map((key) => [key, schemaOf(POINT_FIELDS[key])]));
}

/** Settings of a point as they are stored; the contract of `add_points` fills in what is left out. */
const settings = shapeOf(storedSchema) as unknown as StoredShape;
const { frame_type: _, ...entered } = shapeOf(enteredSchema) as unknown as StoredShape;

/** A new point: `frame_type`, `code` and `address` (IEC 61850: `reference`) are needed, the rest has defaults. */
export const NewPoint = z.object(shapeOf(newSchema) as unknown as NewShape);
export type NewPoint = z.output<typeof NewPoint>;

/** A point as a project keeps it: what comes out of a file that anybody may have written is held against it. */
export const StoredPoint = z.object({ id: Id, channel_id: Id, ...settings });

/** Settings of a point that are to change; what is left out stays. The type of a point never changes. */
export const EnteredPoint = z.object(entered).partial();

export const Point = z.object({
  id: Id,
  channel_id: Id,
  ...settings,
  value: z
    .number()
    .describe(
      'raw × mul_coe + add_coe; 0 until the first read, the last good one after a failed read. Beyond 2^53 JSON readers round it: value_text is exact',
    ),
  raw_hex: z.string().describe('the octets the value was taken from, upper case; empty before the first read'),
  value_text: z.string().describe('enum text, string, or exact 64-bit integer; empty when value says it all'),
  quality: z.enum(QUALITIES),
  flags: z.array(z.enum(QUALITY_FLAGS)),
  source_time: Timestamp.nullable().describe('time tag of the device'),
  updated_at: Timestamp.nullable().describe(
    'when the value was last read or set; a failed read leaves it, so it tells the age of the value',
  ),
  alarm: z.enum(['', 'low', 'high']).describe('under or over its limits'),
  error: z.string().nullable().describe('why the last read of this point failed'),
  error_message: MessageSchema.optional(),
  exponent: z
    .int()
    .optional()
    .describe('power of ten that the device gives with the value: value = raw × 10^exponent × mul_coe + add_coe; left out: 0'),
  ...ReadingDetailFields,
});
export type Point = z.infer<typeof Point>;

export const POINT_SORTS = ['id', 'code', 'name', 'address', 'slave_id', 'frame_type', 'value', 'quality', 'updated_at'] as const;

/** What a point is found by. */
export const pointKey = { point_id: Id, frame_type: FrameTypeSchema };

/** What a write is meant for. It is the caller who says it, so it is checked when the write is about to be sent. */
export const WriteExpectation = z.object({
  code: settings.code,
  address: settings.address,
  reference: settings.reference,
  slave_id: settings.slave_id.optional(),
  bit: settings.bit.optional(),
  project_session: z.string().max(100).optional().describe('of GET /api/service/info; another project that is open now is refused'),
});
export type WriteExpectation = z.infer<typeof WriteExpectation>;

const StandingSelection = z.object({
  remaining_ms: z.number().nullable().describe('time until the device ends it by itself; null: it never does, or it is not known'),
  is_endless: z.boolean().describe('the device says that it stands until it is executed or cancelled'),
});

const CommandStateItem = z.object({
  name: z.string().describe('as the standard names it: Beh, Loc, BlkOpn'),
  label: z.string().describe('what it is'),
  label_message: MessageSchema,
  value: z.string(),
  value_message: MessageSchema,
  remark: z.string().nullable().describe('what it means for a command with these options; null: nothing stands against it'),
  remark_message: MessageSchema.nullable(),
});
export type CommandStateItem = z.infer<typeof CommandStateItem>;

/** What stands before a command of a point, as the device says it. */
export const CommandState = z.object({
  read_at: Timestamp,
  items: z.array(CommandStateItem),
  steps: z.array(z.enum(COMMAND_STEPS)).describe('steps that the point takes now'),
  missing_options: z.array(z.string()).describe('command options that the point has no place for: a command with them is refused (422)'),
  selection: StandingSelection.nullable().describe('what this connection has selected at the point; null: nothing'),
  obstacle: z.string().nullable().describe('why every command would be refused before it is sent; null: nothing is known against it'),
  obstacle_message: MessageSchema.nullable(),
});
export type CommandState = z.infer<typeof CommandState>;

export const CommandResult = z.object({
  outcome: z.enum(['accepted', 'rejected', 'unknown']).describe('unknown: sent, and the device did not say'),
  stages: z
    .array(
      z.object({
        name: z.string(),
        at: Timestamp,
        detail: z.string(),
        detail_message: MessageSchema.optional(),
        value: z.number().optional().describe('read_back: what the device answered'),
        equal: z.boolean().optional().describe('read_back: it is the written value, but for rounding to the raw value of the point'),
      }),
    )
    .describe(
      'what happened, in order. `rejected`: the words of a refusal, always there. `read_back`: a read of the device after it took the command; ' +
        'left out for points that cannot be read, and where the read failed',
    ),
  reaction: z
    .object({
      point_id: Id,
      code: z.string(),
      before: z.number().nullable(),
      after: z.number().nullable(),
      frame_type: FrameTypeSchema.optional().describe('type of the related point: a value of YX is a state'),
      before_text: z.string().optional().describe('what stands in place of the number, as value_text of a row'),
      after_text: z.string().optional(),
      delay_ms: z.number().nullable(),
    })
    .nullable()
    .describe('what the related point did'),
  selection: StandingSelection.optional().describe(
    'how long a selection stands from this answer: of an accepted `select`, and of a command that leaves it (IEC 61850, sboClass operate-many)',
  ),
  state: z.array(CommandStateItem).optional().describe('what the device said of itself before the step, where it was asked'),
  audit_id: z.int(),
});
export type CommandResult = z.infer<typeof CommandResult>;

/** An address that a protocol knows. */
export const PointItem = z.object({
  address: z.int(),
  address_text: z.string().describe('as people of the protocol write it: 02010100'),
  name_en: z.string(),
  name_zh: z.string(),
  format: z.string().describe('as the protocol writes it: XXXXXX.XX'),
  unit: z.string(),
  writable: z.boolean(),
});
export type PointItem = z.infer<typeof PointItem>;

/** What a protocol knows of an address by itself. */
export const PointHint = z.object({
  address_text: z.string().describe('the address as people of the protocol write it: 02010100'),
  item: z
    .object({
      name_en: z.string(),
      name_zh: z.string(),
      format: z.string().describe('as the protocol writes it: XXXXXX.XX'),
      unit: z.string(),
      writable: z.boolean(),
    })
    .nullable()
    .describe('null: the protocol does not know the address'),
  suggestion: z
    .object({
      address: z.int(),
      protocol: z.record(z.string(), z.unknown()).describe('settings of the point that it needs'),
      name_en: z.string(),
      name_zh: z.string(),
    })
    .nullable()
    .describe('what was probably meant'),
  advice: z.string().describe('what is wrong and what would be right, in English; empty for a known address'),
  advice_message: MessageSchema.optional(),
});
export type PointHint = z.infer<typeof PointHint>;

const OtherReading = z.object({
  decode: z.string().describe('decode code'),
  protocol: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('settings of the protocol that the point has under this reading; left out: as they are'),
  raw: z.string().describe('the number of the device, exactly; NaN and infinities in words'),
  value: z.number().nullable().describe('raw × mul_coe + add_coe; null where it is no number'),
  value_text: z.string().describe('exact 64-bit integer, text, date and time; empty when value says it all'),
  is_present: z.boolean().describe('the point is read so now'),
});

const PlausibleReading = z.object({
  value: z.number(),
  raw_hex: z.string(),
  changes: z
    .object({
      decode: z.string().optional(),
      protocol: z.record(z.string(), z.unknown()).optional(),
      address: z.int().optional(),
      mul_coe: z.number().optional(),
    })
    .describe('settings for edit_point that lead to it'),
  differs: z
    .array(z.enum(['decode', 'kind', 'address', 'factor', 'sign']))
    .describe('what is otherwise than now; empty: nothing, the point is right'),
});
export type PlausibleReading = z.infer<typeof PlausibleReading>;

export const PointReadings = z.object({
  point: Point,
  items: z
    .array(OtherReading)
    .describe('what the octets of the point mean by each type and order; empty where the protocol tells the type with each value'),
  plausible: z
    .array(PlausibleReading)
    .nullable()
    .describe('settings under which the point has the known value, the likeliest first, 8 at most; null where none was given'),
});
export type PointReadings = z.infer<typeof PointReadings>;

/** The step of the history that a request became. */
export const StepId = Id.nullable().describe('its step of the history, for POST /api/points/undo; null: nothing was changed');
