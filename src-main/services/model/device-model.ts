import { type DeviceModel, type ModelDataSet, SCL_MEDIA_TYPE } from '#shared/contract/iec61850.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { protocolFacts } from '#shared/domain/protocols.ts';
import { beginOf, english, say } from '#shared/messages/index.ts';
import type { DeviceModelView, ModelStatus } from '../../drivers/spi/model.ts';
import { runInTurns } from '../../platform/steps.ts';
import { Turns } from '../../platform/turns.ts';
import { canonicalReference, type DataSetState } from '../../runtime/tasks/dataset-snapshot.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { type Handlers, JsonText } from '../handlers.ts';
import { findChannel } from '../lookup.ts';
import type { ServiceDeps } from '../ports.ts';
import { isoTime } from '../rows.ts';
import { storedDocument } from './documents.ts';
import { suggestionRows } from './suggestions.ts';
import { memberRows, nodeRow, treePieces, WHOLE, WholeTrees } from './tree.ts';
import { jsonValues, type PlaceOf, valuePieces, valuesBelow } from './values.ts';

type ModelHandlers = Pick<
  Handlers,
  'iec61850TreeData' | 'iec61850DatasetDetail' | 'deviceModel' | 'modelNodes' | 'suggestPoints' | 'modelDifferences' | 'exportModel'
>;

const DEFAULT_PAGE = 1000;

const NOTHING_KNOWN: ModelStatus = {
  state: 'unknown',
  source: null,
  done: 0,
  total: 0,
  error: null,
  learnedAt: null,
  identity: null,
  configurationRevision: '',
  counts: { logicalDevices: 0, logicalNodes: 0, dataObjects: 0, attributes: 0, dataSets: 0 },
};

/** The information model and the data sets of a device, all of it from memory. */
export function modelHandlers(deps: ServiceDeps): ModelHandlers {
  const wholeTrees = new WholeTrees();
  /** The channel, with what its document says. */
  const channelOf = async (id: number) => {
    const channel = withModel(findChannel(deps.projects.current(), id));
    await channel.modelReady();
    return channel;
  };
  return {
    async iec61850TreeData({ channel_id, parent, depth = WHOLE }) {
      const channel = await channelOf(channel_id);
      const view = channel.model();
      const { breathe } = new Turns();
      const nodesOf = () => childrenOf(view, parent);
      nodesOf();
      const device = channel.dataSets.device();
      const values = parent === undefined ? device.values : await valuesBelow(device.values, parent, placesOf(channel), breathe);
      const isWhole = parent === undefined && depth === WHOLE;
      const tree =
        view === null
          ? ['[]']
          : isWhole
            ? await wholeTrees.pieces(view, breathe)
            : (await treePieces(view, nodesOf, depth, breathe)).pieces;
      const facts = JSON.stringify(freshness(device)).slice(1, -1);
      return new JsonText('{"tree":', ...tree, `,${facts},"values":`, ...(await valuePieces(values, breathe)), '}');
    },
    async iec61850DatasetDetail({ channel_id, dataset }) {
      const channel = await channelOf(channel_id);
      const view = channel.model();
      const state = channel.dataSets.get(dataset);
      const modelled = dataSetOf(view, dataset);
      const name = modelled?.name ?? knownName(channel, view, dataset);
      const references = modelled?.members ?? [...state.values.keys()];
      return {
        dataset: name,
        members: memberRows(view, references, placesOf(channel)),
        ...freshness(state),
        values: jsonValues(state.values),
      };
    },
    async deviceModel({ channel_id }) {
      const channel = await channelOf(channel_id);
      const document = storedDocument(deps.projects.current(), channel);
      return { ...statusRow(channel.model()), data_sets: dataSetRows(channel), document };
    },
    async modelNodes({ channel_id, parent, search, page = 1, page_size = DEFAULT_PAGE }) {
      const view = (await channelOf(channel_id)).model();
      const turns = new Turns();
      const revision = view?.revision ?? 0;
      const first = (page - 1) * page_size;
      const end = first + page_size;
      const found =
        search === undefined ? childrenOf(view, parent) : view ? await runInTurns(view.search(search, end + 1), turns.breathe) : [];
      const more = found.length > end;
      const total = search === undefined ? found.length : Math.min(found.length, end);
      return { revision, total, more, items: found.slice(first, end).map((node) => nodeRow(node)) };
    },
    async suggestPoints({ channel_id, references }) {
      const channel = await channelOf(channel_id);
      return { items: suggestionRows(channel, requireModel(channel).suggestPoints(references)) };
    },
    async exportModel({ channel_id }) {
      const channel = await channelOf(channel_id);
      const { ip, port, protocol } = channel.settings;
      const steps = requireModel(channel).exportDocument?.({ ip, port, protocol });
      if (!steps) throw new AppError('CONFIG_NOT_FOUND', say('service.model_unknown', { channel: channel.settings.name }));
      const { name, text } = await runInTurns(steps, new Turns().breathe);
      return { name, mediaType: SCL_MEDIA_TYPE, bytes: new TextEncoder().encode(text) };
    },
    async modelDifferences({ channel_id }) {
      const view = (await channelOf(channel_id)).model();
      const found = view && (await runInTurns(view.differences(), new Turns().breathe));
      return { comparable: found !== null, items: (found?.items ?? []).map((item) => ({ ...item })), more: found?.more ?? 0 };
    },
  };
}

/** The channel, when its protocol has an information model. Throws `CONFIG_INVALID`. */
function withModel(channel: ChannelRuntime): ChannelRuntime {
  if (channel.driver.model) return channel;
  const protocol = protocolFacts(channel.settings.protocol_type).name;
  throw invalidField('channel_id', say('service.no_model', { channel: channel.settings.name, protocol }));
}

function placesOf({ driver }: ChannelRuntime): PlaceOf {
  return (reference) => driver.modelPlace?.(reference) ?? { node: reference, constraint: '' };
}

function requireModel(channel: ChannelRuntime): DeviceModelView {
  const view = channel.model();
  if (view) return view;
  const { name } = channel.settings;
  throw new AppError('CONFIG_NOT_FOUND', say('service.model_unknown', { channel: name }));
}

function childrenOf(view: DeviceModelView | null, parent: string | undefined) {
  const children = view === null ? null : view.children(parent ?? null);
  if (children) return children;
  if (parent === undefined) return [];
  throw new AppError('CONFIG_NOT_FOUND', say('service.no_node', { node: parent }));
}

function dataSetOf(view: DeviceModelView | null, name: string) {
  const wanted = canonicalReference(name);
  return view?.dataSets().find((set) => canonicalReference(set.name) === wanted);
}

/** The one spelling of a data set that no model has, but a read has met. Throws `CONFIG_NOT_FOUND` for others. */
function knownName(channel: ChannelRuntime, view: DeviceModelView | null, name: string): string {
  const wanted = canonicalReference(name);
  const present = channel.dataSets.names();
  if (present.includes(wanted)) return wanted;
  const names = [...new Set([...(view?.dataSets() ?? []).map((set) => set.name), ...present])];
  const asked = { channel: channel.settings.name, name };
  throw new AppError(
    'CONFIG_NOT_FOUND',
    names.length === 0 ? say('service.no_data_set_yet', asked) : say('service.no_data_set', { ...asked, names: beginOf(names) }),
  );
}

function freshness({ updatedAt, isStale, lastError }: DataSetState) {
  return {
    last_updated_at: isoTime(updatedAt),
    stale: isStale,
    last_error: lastError && english(lastError),
    ...(lastError && { last_error_info: lastError }),
  };
}

function dataSetRows(channel: ChannelRuntime): ModelDataSet[] {
  const { dataSets } = channel;
  const modelled = channel.model()?.dataSets() ?? [];
  const known = new Set(modelled.map((set) => canonicalReference(set.name)));
  const others = dataSets.names().filter((name) => !known.has(name));
  return [
    ...modelled.map((set) => ({ name: set.name, member_count: set.members.length, is_deletable: set.isDeletable })),
    ...others.map((name) => ({ name, member_count: dataSets.get(name).values.size, is_deletable: null })),
  ].map((row) => ({ ...row, ...freshness(dataSets.get(row.name)) }));
}

function statusRow(view: DeviceModelView | null): Omit<DeviceModel, 'data_sets' | 'document'> {
  const status = view?.status ?? NOTHING_KNOWN;
  const { logicalDevices, logicalNodes, dataObjects, attributes, dataSets } = status.counts;
  return {
    state: status.state,
    source: status.source,
    done: status.done,
    total: status.total,
    error: status.error && english(status.error),
    ...(status.error && { error_message: status.error }),
    learned_at: isoTime(status.learnedAt),
    identity: status.identity && { ...status.identity },
    configuration_revision: status.configurationRevision,
    counts: {
      logical_devices: logicalDevices,
      logical_nodes: logicalNodes,
      data_objects: dataObjects,
      attributes,
      data_sets: dataSets,
    },
    revision: view?.revision ?? 0,
  };
}
