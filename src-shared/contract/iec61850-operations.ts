import { z } from 'zod';
import { LARGEST_DOCUMENT } from '../domain/documents.ts';
import { say } from '../messages/index.ts';
import { mustBe } from '../messages/schema-words.ts';
import { Id, Nothing, queryInt } from './common.ts';
import {
  DeviceModel,
  DocumentDevices,
  DocumentReport,
  freshness,
  LARGEST_MODEL_PAGE,
  MOST_SUGGESTIONS,
  ModelDifference,
  ModelNode,
  ModelTreeNode,
  PointSuggestion,
  SCL_MEDIA_TYPE,
  values,
  WHOLE_DEPTH,
} from './iec61850.ts';
import { type DownloadedFile, operation } from './operation.ts';

const documentFile = z.file({ error: mustBe(say('field.any_file')) }).describe('ICD, CID, IID or SCD file, 32 MiB at most');

const channelId = queryInt(1, Number.MAX_SAFE_INTEGER);
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
    description: 'Points stay; what the file said of them (types, reports) has to come from the device from then on.',
    tag: 'model',
    effect: 'repeatable',
    line: true,
    query: z.object({ channel_id: channelId }),
    body: Nothing,
    data: z.object({ deleted: z.boolean().describe('false: there was none') }),
    errors: [404, 409, 502, 503, 504, 507],
  }),
} as const;
