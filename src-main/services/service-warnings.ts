import type { ServiceWarning } from '#shared/contract/service.ts';
import { speak } from '#shared/domain/sentence.ts';
import type { ServiceWarningCode } from '#shared/domain/service-warnings.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { HistoryTimes } from '../persistence/history-repositories.ts';
import type { ProjectSession } from './ports.ts';
import { bufferWarnings } from './publish/buffer-warnings.ts';
import { isoTime } from './rows.ts';

/** English sentences: what is wrong, and what to do. `{{name}}` stands for a parameter. */
const TEXTS: Readonly<Record<ServiceWarningCode, string>> = {
  disk_full: '{{detail}}',
  project_lost: '{{detail}}',
  project_not_written: '{{detail}}',
  results_aside:
    'Results of the check lie in {{path}}, because the project had no room for them, and are not in it: {{detail}} They come into it when it is opened again.',
  channel_damaged:
    'Channel "{{channel}}" (id {{channel_id}}) is not as it was stored: the project file was damaged, or changed by another program. It does not start. Compare its ' +
    'settings and points with your records or a backup, correct them, then confirm them with POST /api/channel/confirm.',
  secrets_damaged: 'The file of secrets was damaged and lies aside as {{file}}. No password or code is set; set them again.',
  secrets_unreadable: '{{detail}} Channels with passwords or codes do not find them until then.',
  recording_suspended: 'Values are not recorded now: {{detail}} It is tried again every ten seconds.',
  recording_aside:
    'The file of recorded values was damaged, or belongs to another project; it lies aside as {{file}}, and a new one was begun.',
  recording_clock: '{{detail}}',
  publishing_fails: 'Publisher "{{publisher}}" does not reach its target: {{detail}} It is tried again by itself.',
  publishing_unconfirmed:
    'Publisher "{{publisher}}" sends nothing to {{url}} until somebody confirms it on this computer with POST /api/publisher/confirm.',
  publishing_not_kept:
    'Records of publisher "{{publisher}}" are not kept on the disk now: {{detail}} They go on from memory, and it is tried again every five seconds.',
  publishing_dropped:
    'Publisher "{{publisher}}" dropped {{count}} of the records that waited: they took more room than its buffer has, or waited too long. A gap in their sequence shows where.',
  publishing_aside:
    'The file of records that wait for publishing was damaged, or belongs to another project; it lies aside as {{file}}, and a new one was begun.',
  log_not_written: 'The log cannot be written ({{detail}}); its lines go to the standard error output. It is tried again every minute.',
  service_file_taken:
    'Another Loopcheck (process {{pid}}, {{url}}) runs on this data folder; service.json names that one. Give this one a folder of its own with --data.',
  service_file_not_written: 'service.json cannot be written ({{detail}}); scripts have to be given the address.',
};

/** One warning with its sentence. */
export function serviceWarning(code: ServiceWarningCode, params: ServiceWarning['params']): ServiceWarning {
  return { code, params, message: speak({ text: TEXTS[code] }, params).text };
}

/** What is wrong with the files of the open project now; empty when all is well. */
export function projectWarnings({ store, secrets, channels, recorder, publishers }: ProjectSession): ServiceWarning[] {
  const trouble = store.trouble();
  const recording = recorder.trouble();
  const { damagedFile, unreadable } = secrets.trouble();
  return [
    ...(trouble ? [serviceWarning(trouble.code, { detail: trouble.said })] : []),
    ...store.damagedChannels().map((id) => serviceWarning('channel_damaged', { channel_id: id, channel: nameOf(channels.get(id), id) })),
    ...(damagedFile === null ? [] : [serviceWarning('secrets_damaged', { file: damagedFile })]),
    ...(unreadable === null ? [] : [serviceWarning('secrets_unreadable', { detail: unreadable })]),
    ...(recording.suspended ? [serviceWarning('recording_suspended', { detail: recording.suspended })] : []),
    ...publishers.list().flatMap(({ settings: { name, target }, state }) => {
      if (state.error) return [serviceWarning('publishing_fails', { publisher: name, detail: state.error })];
      return state.state === 'unconfirmed' ? [serviceWarning('publishing_unconfirmed', { publisher: name, url: target.url })] : [];
    }),
    ...bufferWarnings(publishers).map(({ code, params }) => serviceWarning(code, params)),
    ...clockMessages(recording.times).map((detail) => serviceWarning('recording_clock', { detail })),
    ...(recording.aside ? [serviceWarning('recording_aside', { file: recording.aside.file })] : []),
  ];
}

function clockMessages({ kept, ahead }: HistoryTimes): Message[] {
  return [
    ...(kept ? [say('history.kept', { from: isoTime(kept.from), to: isoTime(kept.to) })] : []),
    ...(ahead === null ? [] : [say('history.ahead', { until: isoTime(ahead) })]),
  ];
}

function nameOf(channel: ReturnType<ProjectSession['channels']['get']>, id: number): string {
  return channel?.settings.name ?? String(id);
}
