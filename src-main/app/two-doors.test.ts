import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiRequest } from '#shared/client/client.ts';
import { operations } from '#shared/contract/index.ts';
import { makeBridge } from '../http/bridge.ts';
import { freePort, type RunningCore, startCore } from './testing/running-core.ts';

/** Two services that live through the same requests, one by each door; so a request that changes something changes both alike. */
let overHttp: RunningCore;
let overBridge: RunningCore;
let ports: number[];
beforeAll(async () => {
  [overHttp, overBridge] = await Promise.all([startCore(), startCore()]);
  ports = [await freePort(), await freePort()];
});
afterAll(() => Promise.all([overHttp.close(), overBridge.close()]));

/** What differs between two services for a good reason: times, process, places, random ids. */
const OWN = new Set([
  'since',
  'now',
  'live_since',
  'started_at',
  'at',
  'closed_at',
  'made_at',
  'received_at',
  'updated_at',
  'last_cycle_at',
  'task_id',
  'monotonic_ms',
  'latency_ms',
  'window_ms',
  'port',
  'bound_port',
  'path',
  'size_bytes',
  'load',
  'project_session',
  'source',
  'opened_at',
  'created_at',
  'waiting_ms',
  'waited_ms',
  'since',
  'session',
]);

const PUBLISHER = {
  name: 'Plant',
  enabled: false,
  target: { kind: 'mqtt', url: 'mqtt://broker', client_id: '', user: 'plant', prefix: 'plant', qos: 0, retain: false },
  devices: [],
  frame_types: [],
  codes: [],
};

function comparable(value: unknown): unknown {
  if (typeof value === 'string')
    return value
      .replaceAll(overHttp.dir, 'DIR')
      .replaceAll(overBridge.dir, 'DIR')
      .replace(/127\.0\.0\.1:\d+/g, 'ADDRESS')
      .replace(/^[0-9a-f]{12}-\d+-\d+$/, 'PLACE')
      .replace(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]{21}$/, 'ID');
  if (Array.isArray(value)) return value.map(comparable);
  // a project has an id of its own, and times
  if (value instanceof Uint8Array && String.fromCharCode(...value.subarray(0, 6)) === 'SQLite') return 'a project file';
  // of the numbers of a service its names are alike, not how much it has used
  if (value instanceof Uint8Array && String.fromCharCode(...value.subarray(0, 7)) === '# HELP ') {
    return new TextDecoder().decode(value).replace(/^(process_\S+) .*$/gm, '$1');
  }
  if (typeof value !== 'object' || value === null) return value;
  // How far a task has come is a matter of time; which one it is must be the same.
  if ('task_id' in value && 'config' in value) return { config: value.config };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, OWN.has(key) ? 'own' : comparable(item)]));
}

type Method = ApiRequest['method'];
const NO_JOB = '00000000-0000-4000-8000-00000000abcd';
/** A body that goes as a file. */
const TABLE = { name: '点表.csv', bytes: new TextEncoder().encode('测点类型,测点编码,寄存器地址\n遥测,Z,9\n') };
const TEMPLATE = {
  name: 'pump.device.json',
  bytes: new TextEncoder().encode(
    JSON.stringify({
      format: 'loopcheck-project',
      version: 1,
      device: { name: 'Pump' },
      channels: [{ protocol_type: 1, conn_type: 2, points: [] }],
    }),
  ),
};
const FILES: ReadonlySet<unknown> = new Set([TABLE, TEMPLATE]);
const point = { frame_type: 3, code: 'A', address: 0, decode: '0x21' };

/** Good and bad requests to every operation, in an order that makes sense; `port` and `dir` differ between the services. */
function requests(port: number, dir: string): ApiRequest[] {
  const list: [Method, string, unknown?][] = [
    ['GET', '/api/service/info'],
    ['GET', '/api/metrics'],
    ['GET', '/api/service/settings'],
    ['PUT', '/api/service/settings', { frame_log_bytes: 100_000 }],
    ['PUT', '/api/service/settings', { frame_log_bytes: 1 }],
    ['PUT', '/api/service/settings', { readonly: true }],
    ['PUT', '/api/service/settings', { port: 8992, events_kept: 1000, audit_kept: 1000 }],
    ['PUT', '/api/service/settings', { port: 0 }],
    ['PUT', '/api/service/settings', { update_place: 'loopcheck' }],
    ['GET', '/api/service/update'],
    ['PUT', '/api/service/settings', { update_place: '/srv/loopcheck' }],
    ['POST', '/api/service/update/look', {}],
    ['PUT', '/api/service/settings', { update_place: '' }],
    ['POST', '/api/service/token', {}],
    ['DELETE', '/api/service/token'],
    ['POST', '/api/access/add', { name: 'Li', role: 'view' }],
    ['POST', '/api/access/add', { name: 'li', role: 'view' }],
    ['PUT', '/api/access/update', { name: 'Li', role: 'operate' }],
    ['PUT', '/api/access/update', { name: 'Wu', role: 'operate' }],
    ['GET', '/api/access/list'],
    ['DELETE', '/api/access/remove?name=Li'],
    ['GET', '/api/remotes/list'],
    ['GET', '/api/remotes/channels'],
    ['POST', '/api/remotes/look', { address: 'http://10.0.0.7/x' }],
    ['POST', '/api/remotes/add', { name: 'Cabinet', address: 'http://10.0.0.7/x' }],
    ['DELETE', '/api/remotes/remove?id=1'],
    ['GET', '/api/remote/1/channel/list'],
    ['GET', '/api/channel/protocols'],
    ['GET', '/api/channel/serial_ports'],
    ['GET', '/api/channel/point_hint?protocol_type=4&address=0x02010100'],
    ['GET', '/api/channel/point_hint?protocol_type=1&address=5'],
    ['GET', '/api/channel/point_items?protocol_type=4&search=reverse%20total&limit=3'],
    ['GET', '/api/channel/point_items?protocol_type=1'],
    ['GET', '/api/channel/point_items?protocol_type=4&limit=0'],
    ['GET', '/api/channel/point_hint?protocol_type=4&address=x'],
    ['GET', '/api/channel/list?x=1'],
    ['POST', '/api/channel/add', { name: 'S', protocol_type: 1, conn_type: 1, port }],
    ['POST', '/api/channel/add', { name: 'S', protocol_type: 1, conn_type: 1 }],
    ['POST', '/api/channel/add', { name: 'T', protocol_type: 1, conn_type: 0 }],
    ['POST', '/api/channel/add', {}],
    ['POST', '/api/channel/add'],
    ['PUT', '/api/channel/update', { channel_id: 1, note: 'ü 中文', colour: 1 }],
    ['PUT', '/api/channel/update', { channel_id: 77 }],
    ['POST', '/api/device/add_points', { channel_id: 1, points: [point, { ...point, code: 'B', address: 1, frame_type: 2 }] }],
    ['POST', '/api/device/add_points', { channel_id: 1, points: [point] }],
    ['POST', '/api/device/add_points', { channel_id: 1, points: [{ frame_type: 0 }] }],
    ['PUT', '/api/device/edit_point', { point_id: 1, frame_type: 3, name: 'N', nmae: 'x' }],
    ['PUT', '/api/device/edit_point', { point_id: 1, frame_type: 0 }],
    ['PUT', '/api/device/edit_points', { channel_id: 1, points: [{ point_id: 1, frame_type: 3, name: 'M' }] }],
    ['PUT', '/api/device/edit_points', { channel_id: 1, points: [] }],
    ['POST', '/api/points/bulk', { channel_id: 1, changes: [{ op: 'edit', point_id: 1, frame_type: 3, name: 'O', nmae: 'x' }] }],
    ['POST', '/api/points/bulk', { channel_id: 1, changes: [{ op: 'turn', point_id: 1 }] }],
    ['POST', '/api/points/undo', { channel_id: 1 }],
    ['POST', '/api/points/undo', { channel_id: 1, step_id: 999 }],
    ['POST', '/api/points/redo', { channel_id: 1 }],
    ['POST', '/api/points/redo', { channel_id: 1 }],
    ['GET', '/api/points/history?channel_id=1'],
    ['GET', '/api/points/history?channel_id=99'],
    ['PUT', '/api/device/update_point', { point_id: 1, frame_type: 3, value: 5 }],
    ['GET', '/api/recording'],
    ['GET', '/api/recording?channel_id=99'],
    ['PUT', '/api/recording', { channel_id: 1, mode: 'changed', dead_band: 0.5 }],
    ['PUT', '/api/recording', { channel_id: 1, dead_bands: [{ code: 'NOBODY', dead_band: 2, kind: 'percent' }] }],
    ['PUT', '/api/recording', { channel_id: 1, mode: 'sometimes' }],
    ['PUT', '/api/recording', { channel_id: 1, mode: 'off' }],
    ['PUT', '/api/publishers', PUBLISHER],
    ['PUT', '/api/publishers', { ...PUBLISHER, target: { kind: 'mqtt', url: 'http://broker' } }],
    ['PUT', '/api/publishers', { ...PUBLISHER, id: 99 }],
    [
      'PUT',
      '/api/publishers',
      {
        ...PUBLISHER,
        name: 'Node',
        target: { kind: 'sparkplug', url: 'mqtt://broker', client_id: '', user: '', group: 'Site', node: 'a/b', host: '' },
      },
    ],
    ['PUT', '/api/publisher/secrets', { id: 1, secrets: { password: 'of the broker' } }],
    ['PUT', '/api/publisher/secrets', { id: 1, secrets: { key: 'of another kind' } }],
    ['POST', '/api/publisher/confirm', { id: 1 }],
    ['POST', '/api/publisher/confirm', { id: 99 }],
    ['POST', '/api/publisher/test', { id: 99 }],
    ['DELETE', '/api/publishers?id=1'],
    ['DELETE', '/api/publishers?id=1'],
    ['GET', '/api/publishers'],
    ['GET', '/api/history?points=1:3:1&from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z'],
    ['GET', '/api/history?code=A&from=2020-01-02T00:00:00Z&to=2020-01-01T00:00:00Z'],
    ['GET', '/api/history?points=1-3'],
    ['GET', '/api/history?points=1:0:1'],
    ['GET', '/api/simulation?channel_id=1'],
    ['GET', '/api/simulation?channel_id=2'],
    ['GET', '/api/simulation?channel_id=99'],
    ['GET', '/api/simulation/series'],
    ['POST', '/api/simulation/series/add'],
    ['POST', '/api/simulation/capture/look'],
    ['POST', '/api/simulation/capture/take'],
    ['DELETE', '/api/simulation/series/remove?name=none'],
    ['PUT', '/api/simulation', { channel_id: 1, speed: 2, period_ms: 1000 }],
    ['PUT', '/api/simulation', { channel_id: 1, speed: 0 }],
    ['PUT', '/api/simulation/line', { channel_id: 1, delay_ms: 1, exceptions: [{ from: 9, to: 3, code: 2 }] }],
    ['PUT', '/api/simulation/line', { channel_id: 1, silent_percent: 101 }],
    ['GET', '/api/channel/secrets?channel_id=1'],
    ['GET', '/api/channel/secrets?channel_id=99'],
    ['PUT', '/api/channel/secrets', { channel_id: 1, secrets: { password_02: '000000' } }],
    ['PUT', '/api/channel/secrets', { channel_id: 1, secrets: { password_02: 5 } }],
    ['PUT', '/api/channel/secrets', { channel_id: 99, secrets: {} }],
    ['POST', '/api/device/start', { channel_id: 1 }],
    ['POST', '/api/device/start', { channel_id: '1' }],
    ['POST', '/api/device/reload', { channel_id: 1 }],
    ['POST', '/api/channel/confirm', { channel_id: 1 }],
    ['POST', '/api/channel/confirm', { channel_id: 99 }],
    ['PUT', '/api/device/update_point', { point_id: 1, frame_type: 3, value: 5 }],
    ['PUT', '/api/device/update_point', { point_id: 1, frame_type: 3, value: 1e9 }],
    ['PUT', '/api/device/update_point', { point_id: 1, frame_type: 3, value: 5, expect: { code: 'OTHER', address: 7, reference: '' } }],
    ['POST', '/api/device/command', { channel_id: 1, point_id: 2, frame_type: 2, step: 'operate', value: 1 }],
    ['POST', '/api/device/command', { channel_id: 1, point_id: 2, frame_type: 2, step: 'operate' }],
    ['POST', '/api/device/command', { channel_id: 1, point_id: 2, frame_type: 2, step: 'cancel', expect: { code: 'OTHER' } }],
    ['POST', '/api/points/read', { points: [{ code: 'A' }] }],
    ['POST', '/api/points/read', { device_name: '?', points: [{ code: 'A' }] }],
    ['POST', '/api/points/write', { channel_id: 1, points: [{ code: 'A', value: 6 }] }],
    ['POST', '/api/points/write', { channel_id: 1, points: [{ code: 'A' }] }],
    ['POST', '/api/points/wait', { code: 'A', condition: 'equal', value: 6 }],
    ['POST', '/api/points/wait', { code: 'A', condition: 'equal' }],
    ['GET', '/api/device/touched_setpoints?channel_id=1'],
    ['GET', '/api/device/touched_setpoints?channel_id=x'],
    ['POST', '/api/device/restore_setpoints', { channel_id: 1, point_ids: [1] }],
    ['POST', '/api/device/restore_setpoints', { channel_id: 1, point_ids: [] }],
    ['POST', '/api/device/keep_setpoints', { channel_id: 1, point_ids: [1] }],
    ['POST', '/api/device/command_state', { channel_id: 1, point_id: 2, frame_type: 2 }],
    ['POST', '/api/device/read_single_point', { channel_id: 1, point_id: 1, frame_type: 3 }],
    ['POST', '/api/device/read_single_point', { channel_id: 1, point_id: 9, frame_type: 3 }],
    ['POST', '/api/device/operation', { channel_id: 1, operation: 'test' }],
    ['POST', '/api/device/operation', { channel_id: 99, operation: 'test' }],
    ['GET', '/api/channel/unknown_objects?channel_id=1'],
    ['GET', '/api/channel/unknown_objects?channel_id=99'],
    ['GET', '/api/device/table?channel_id=1&page=1&page_size=10'],
    ['GET', '/api/device/table?channel_id=1&page=0&page_size=10'],
    ['GET', '/api/device/table?channel_id=1&page=1&page_size=10&since=0'],
    ['GET', '/api/device/point_readings?channel_id=1&point_id=1&frame_type=0&known=312.3'],
    ['GET', '/api/device/point_readings?channel_id=1&point_id=1&frame_type=0&known=x'],
    ['GET', '/api/frames/of_point?channel_id=1&point_id=1&frame_type=0'],
    ['GET', '/api/frames/of_point?channel_id=1&point_id=1&frame_type=7'],
    ['GET', '/api/frames/points?channel_id=1&seq=1'],
    ['GET', '/api/frames/points?channel_id=1&seq=0'],
    ['POST', '/api/devices/start-auto-read', { device_name: 'S' }],
    ['POST', '/api/devices/start-auto-read', { device_name: 'S', cycle_interval_ms: 5 }],
    ['POST', '/api/devices/start-auto-read', { device_name: 'S', mode: 'single' }],
    ['POST', '/api/devices/manual-read', { device_name: 'S' }],
    ['POST', '/api/devices/stop-auto-read', { device_name: 'S' }],
    ['POST', '/api/devices/auto-read-status', { device_name: '?' }],
    ['POST', '/api/devices/manual-read-status', { device_name: 'S' }],
    ['POST', '/api/devices/stop-manual-read', { device_name: 'S' }],
    ['POST', '/api/check/add', { name: 'Visit' }],
    ['POST', '/api/check/add', { name: '' }],
    ['PUT', '/api/check/edit', { session_id: 1, name: 'First visit' }],
    ['POST', '/api/check/add_items', { session_id: 1, channel_id: 1 }],
    ['POST', '/api/check/add_items', { session_id: 9, channel_id: 1 }],
    ['GET', '/api/check/sessions'],
    ['GET', '/api/check/items?session_id=1'],
    ['GET', '/api/check/items?session_id=9'],
    ['PUT', '/api/check/edit_items', { session_id: 1, items: [NO_JOB], group: 'Bay' }],
    ['POST', '/api/check/remove_items', { session_id: 1, items: [] }],
    ['POST', '/api/check/result', { session_id: 1, item: NO_JOB, verdict: 'failed', operator: 'Li' }],
    ['GET', `/api/check/history?session_id=1&item=${NO_JOB}`],
    ['GET', '/api/check/summary?session_id=1'],
    ['GET', '/api/check/record?session_id=9'],
    ['POST', '/api/check/start', { session_id: 1, operator: 'Li' }],
    ['POST', '/api/check/start', { session_id: 9, operator: 'Li' }],
    ['POST', '/api/check/step', { item: NO_JOB, action: 'skip' }],
    ['POST', '/api/check/send', { item: NO_JOB }],
    ['POST', '/api/check/references', { session_id: 1 }],
    ['POST', '/api/check/points', { session_id: 1, channel_id: 1, point_ids: [1] }],
    ['POST', '/api/check/compare', { session_id: 1, operator: 'Li', reference_channel_id: 99 }],
    ['POST', '/api/check/compare_file?session_id=1&operator=Li', TABLE],
    ['POST', '/api/check/compare_file?session_id=1&operator=Li&percent=x', TABLE],
    ['POST', '/api/check/trace', { session_id: 1, operator: 'Li', reference_channel_id: 99 }],
    ['POST', '/api/check/announce', { item: NO_JOB }],
    ['POST', '/api/check/stop'],
    ['POST', '/api/check/stop', { fail_unmoved: true }],
    ['GET', '/api/check/run'],
    ['POST', '/api/check/attach?session_id=9&operator=Li', TABLE],
    ['POST', '/api/check/logo?session_id=1', TABLE],
    ['POST', '/api/check/remove_logo', { session_id: 1 }],
    ['GET', `/api/check/file?session_id=1&sha256=${'0'.repeat(64)}`],
    ['PUT', '/api/check/order', { session_id: 1, by: 'group' }],
    ['POST', '/api/check/order_by_list?session_id=1', TABLE],
    ['GET', '/api/check/template?session_id=1'],
    ['POST', '/api/check/apply_template?session_id=1', TABLE],
    ['POST', '/api/check/verify', TABLE],
    ['POST', '/api/check/merge', TABLE],
    ['POST', '/api/check/delete', { session_id: 1 }],
    ['GET', '/api/devices/tasks'],
    ['GET', '/api/channel/line_stats?channel_id=1'],
    ['GET', '/api/channel/line_plan?channel_id=1'],
    ['GET', '/api/channel/line_plan?channel_id=1&mode=dataset'],
    ['POST', '/api/channel/reset_line_stats', { channel_id: 1 }],
    ['POST', '/api/channel/reset_line_stats', { channel_id: 99 }],
    ['POST', '/api/job/doctor', { channel_id: 1 }],
    ['POST', '/api/job/doctor', { channel_id: 77 }],
    ['POST', '/api/job/find', { protocol_type: 1, first_slave: 9, last_slave: 3 }],
    ['POST', '/api/job/scan', { channel_id: 1, quantity: 0 }],
    ['GET', `/api/job/status?job_id=${NO_JOB}`],
    ['GET', '/api/job/list?kind=scan'],
    ['POST', '/api/job/cancel', { job_id: NO_JOB }],
    ['GET', `/api/job/scan_rows?job_id=${NO_JOB}&page=1&page_size=10`],
    ['GET', `/api/job/scan_csv?job_id=${NO_JOB}`],
    ['POST', '/api/device/identify', { channel_id: 1 }],
    ['POST', '/api/device/operation', { channel_id: 1, operation: 'interrogation' }],
    ['GET', '/api/channel/unknown_objects?channel_id=1'],
    ['GET', '/api/channel/unknown_objects?channel_id=99'],
    ['GET', '/api/channel/iec61850-tree-data?channel_id=1'],
    ['GET', '/api/channel/iec61850-tree-data?channel_id=99&depth=1'],
    ['GET', '/api/channel/iec61850-dataset-detail?channel_id=1'],
    ['GET', '/api/channel/iec61850-dataset-detail?channel_id=1&dataset=LD0/LLN0.ds'],
    ['GET', '/api/channel/model?channel_id=1'],
    ['GET', '/api/channel/model_nodes?channel_id=1&page_size=0'],
    ['GET', '/api/channel/model_nodes?channel_id=99'],
    ['POST', '/api/channel/model_points', { channel_id: 1, references: [] }],
    ['POST', '/api/channel/model_points', { channel_id: 99, references: ['LD0'] }],
    ['GET', '/api/channel/model_differences?channel_id=1'],
    ['GET', '/api/channel/model_export?channel_id=1'],
    ['POST', '/api/channel/document?channel_id=1&mode=preview', TABLE],
    ['POST', '/api/channel/document?channel_id=77&mode=store', TABLE],
    ['POST', '/api/channel/document_devices?protocol_type=5', TABLE],
    ['POST', '/api/channel/document_devices?protocol_type=1', TABLE],
    ['POST', '/api/channel/document_devices?protocol_type=9', TABLE],
    ['DELETE', '/api/channel/document?channel_id=1'],
    ['DELETE', '/api/channel/document?channel_id=77'],
    ['POST', '/api/channel/import_points?channel_id=1&mode=preview', TABLE],
    ['POST', '/api/channel/import_points?channel_id=1&mode=merge', TABLE],
    ['POST', '/api/channel/import_points?channel_id=77&mode=merge', TABLE],
    ['POST', '/api/channel/import_points?channel_id=1&mode=mix'],
    ['GET', '/api/channel/export_points?channel_id=1&format=csv'],
    ['GET', '/api/channel/points_template?format=csv'],
    ['POST', '/api/channel/analyse_list?channel_id=1', TABLE],
    ['POST', '/api/channel/analyse_list?channel_id=77', TABLE],
    ['POST', '/api/channel/analyse_list?channel_id=1'],
    ['GET', '/api/mapping/profiles'],
    ['PUT', '/api/mapping/profile', { name: 'Plant', headers: ['register'], mapping: {} }],
    ['PUT', '/api/mapping/profile', { name: '', headers: [], mapping: {} }],
    ['GET', '/api/mapping/profile_file?id=own-plant'],
    ['GET', '/api/mapping/profile_file?id=none'],
    ['POST', '/api/mapping/profile_file', TABLE],
    ['DELETE', '/api/mapping/profile?id=own-plant'],
    ['DELETE', '/api/mapping/profile?id=own-plant'],
    ['POST', '/api/device/compare_readings', { channel_id: 77, candidates: [] }],
    ['GET', '/api/points/table_check?channel_id=1'],
    ['GET', '/api/points/table_check?channel_id=77'],
    ['POST', '/api/points/mend', { channel_id: 1, rule: 'factor_zero', revision: 'x' }],
    ['POST', '/api/points/ignore_findings', { channel_id: 1, rule: 'none', ignored: true }],
    ['POST', '/api/points/compare_file', TABLE],
    ['POST', '/api/points/compare_file'],
    ['POST', '/api/points/compare', { before: { channel_id: 77 }, after: { channel_id: 1 } }],
    ['GET', `/api/points/comparison?comparison_id=${NO_JOB}`],
    ['GET', `/api/points/comparison_rows?comparison_id=${NO_JOB}`],
    ['GET', `/api/points/comparison_export?comparison_id=${NO_JOB}`],
    ['POST', '/api/points/take_over', { comparison_id: NO_JOB, channel_id: 1, codes: ['A'] }],
    ['POST', '/api/job/table', { channel_id: 77 }],
    ['GET', `/api/job/table_rows?job_id=${NO_JOB}`],
    ['GET', `/api/job/table_csv?job_id=${NO_JOB}`],
    ['GET', '/api/library/list'],
    ['POST', '/api/library/make', { channel_id: 1, name: 'Doors' }],
    ['POST', '/api/library/make', { channel_id: 77, name: 'Doors' }],
    ['POST', '/api/library/file', TEMPLATE],
    ['POST', '/api/library/file', TABLE],
    ['GET', '/api/library/file?id=own-pump'],
    ['POST', '/api/library/use', { id: 'own-pump', conn_type: 1, port: 40_502 }],
    ['POST', '/api/library/use', { id: 'none' }],
    ['DELETE', '/api/library/template?id=own-pump'],
    ['DELETE', '/api/library/template?id=iec104-bay'],
    ['GET', '/api/frames/list?channel_id=1'],
    ['GET', '/api/frames/list?channel_id=1&filter=noise'],
    ['GET', '/api/frames/statistics?channel_id=1&filter=kind%20==%20noise'],
    ['GET', '/api/frames/statistics?channel_id=1&filter=slave%20='],
    ['GET', '/api/frames/statistics?channel_id=99'],
    ['GET', '/api/frames/explain?channel_id=1&seq=400'],
    ['GET', '/api/frames/file?channel_id=1&format=csv&after_seq=1000000'],
    ['GET', '/api/frames/file?channel_id=1&format=pcap'],
    ['GET', '/api/captures/list'],
    ['POST', '/api/captures/keep', { channel_id: 99 }],
    ['POST', '/api/captures/keep', { channel_id: 1, filter: 'slave ==' }],
    ['POST', '/api/captures/keep', { channel_id: 1, name: '' }],
    ['GET', '/api/captures/file?name=none'],
    ['GET', '/api/captures/look?name=../test'],
    ['POST', '/api/captures/take', { capture: 'none', conversation: -1 }],
    ['POST', '/api/captures/take', { capture: 'none' }],
    ['DELETE', '/api/captures/remove?name=none'],
    ['POST', '/api/frames/clear', { channel_id: 1 }],
    ['GET', '/api/events/list?limit=1&channel_id=1'],
    ['GET', '/api/audit/list'],
    ['POST', '/api/device/delete_points', { channel_id: 1, point_ids: [2] }],
    ['POST', '/api/device/delete_points', { channel_id: 1, point_ids: [2] }],
    ['POST', '/api/device/stop', { channel_id: 1 }],
    ['GET', '/api/project/info'],
    ['POST', '/api/project/backup', { path: `${dir}/copy.loopcheck` }],
    ['POST', '/api/project/backup', { path: `${dir}/copy.loopcheck` }],
    ['POST', '/api/project/backup', { path: 'copy.txt' }],
    ['GET', '/api/project/recent'],
    ['DELETE', `/api/project/recent?path=${encodeURIComponent(`${dir}/copy.loopcheck`)}`],
    ['DELETE', '/api/project/recent'],
    ['GET', '/api/project/missing'],
    ['GET', '/api/project/text?channel_id=99'],
    ['POST', '/api/project/text?mode=preview', TABLE],
    ['POST', '/api/project/text?mode=new', TABLE],
    ['GET', '/api/project/file'],
    ['PUT', '/api/project/file', TABLE],
    ['POST', '/api/project/open', { path: `${dir}/copy.loopcheck` }],
    ['POST', '/api/project/rename', { path: `${dir}/test.loopcheck` }],
    ['POST', '/api/project/rename', { path: `${dir}/none/renamed.loopcheck` }],
    ['POST', '/api/project/rename', { path: `${dir}/renamed.loopcheck` }],
    ['POST', '/api/project/open', { path: `${dir}/missing.loopcheck` }],
    ['POST', '/api/project/demo'],
    ['POST', '/api/project/open', { path: `${dir}/renamed.loopcheck` }],
    ['DELETE', '/api/channel/delete?channel_id=1'],
    ['DELETE', '/api/channel/delete?channel_id=1'],
    ['GET', '/api/openapi.json'],
    ['GET', '/api/nothing'],
    ['POST', '/api/channel/list', {}],
    ['POST', '/api/service/stop', {}],
  ];
  return list.map(([method, url, body]) => {
    if (FILES.has(body)) return { method, url, file: body as typeof TABLE };
    return { method, url, ...(body === undefined ? {} : { body }) };
  });
}

it('both doors give the same answers, good and bad, to every operation', async () => {
  const bridge = makeBridge(overBridge.core.fastify);
  const [left, right] = [requests(ports[0] ?? 0, overHttp.dir), requests(ports[1] ?? 0, overBridge.dir)];
  const seen = new Set<string>();
  const statuses = new Set<number>();
  for (const [index, request] of left.entries()) {
    const twin = right[index] ?? request;
    const [outer, inner] = await Promise.all([overHttp.send(request), bridge(twin)]);
    expect(comparable(inner), `${request.method} ${request.url} ${JSON.stringify(request.body)}`).toEqual(comparable(outer));
    seen.add(`${request.method} ${request.url.split('?', 1)[0]}`);
    statuses.add(outer.status);
  }
  for (const { method, path } of Object.values(operations)) expect(seen).toContain(`${method} ${path}`);
  expect([...statuses].sort()).toEqual([200, 404, 409, 422]);
});

it('the audit says by which door a write came', async () => {
  const request: ApiRequest = {
    method: 'POST',
    url: '/api/channel/add',
    body: { name: 'Doors', protocol_type: 1, conn_type: 1, port: await freePort() },
  };
  const core = await startCore();
  await core.send(request);
  await core.api.call('startDevice', { channel_id: 1 });
  await core.api.call('addPoints', { channel_id: 1, points: [{ frame_type: 3, code: 'A', address: 0 }] });
  await core.api.call('updatePoint', { point_id: 1, frame_type: 3, value: 1 });
  await core.core.api.call('updatePoint', { point_id: 1, frame_type: 3, value: 2 });
  const { data } = await core.api.call('listAudit', {});
  expect(data.items.map((entry) => [entry.value, entry.source])).toEqual([
    [2, 'window'],
    [1, 'api'],
  ]);
  await core.close();
});
