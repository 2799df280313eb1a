import { basename, extname } from 'node:path';
import type { ProjectInfo, ProjectTextReport } from '#shared/contract/projects.ts';
import { AppError, fieldIssue, invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { serially } from '../../platform/serially.ts';
import { Turns } from '../../platform/turns.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { configsInTurns } from '../../runtime/values/configs-in-turns.ts';
import { fileName } from '../file-name.ts';
import { FileOnDisk } from '../file-on-disk.ts';
import { FileAnswer, type Handlers } from '../handlers.ts';
import { findChannel } from '../lookup.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { describe, requireProjectPath } from '../project.ts';
import { readPublishers } from '../publish/settings.ts';
import { readSettings } from '../settings-store.ts';
import { writeDraft } from '../write-draft.ts';
import { addChannels } from './add-channels.ts';
import { MOST_CHANNELS, type TextSettings } from './form.ts';
import { listedErrors } from './read-text.ts';
import type { TextFacts } from './text-work.ts';
import { projectText, type TextChannel } from './write-text.ts';

/** The text form of a project, both ways. */
export function projectTextHandlers(deps: ServiceDeps): Pick<Handlers, 'projectText' | 'importProjectText'> {
  const { projects, projectFiles, texts, drivers } = deps;
  const inTurn = serially();
  const add = async (file: string): Promise<ProjectTextReport> => {
    const { facts, channels } = await texts.read(file, drivers);
    const taken = takenNames(projects.current());
    const checked = withTaken(facts, taken);
    if (checked.errors.length > 0) return reportOf('add', checked, taken, null);
    await addChannels(projects, channels);
    return reportOf('add', checked, taken, describe(projects.current()));
  };
  const make = async (file: string, path: string): Promise<ProjectTextReport> => {
    requireProjectPath(path);
    projectFiles.prepare(path);
    return projects.making(async (open) => {
      const facts = await texts.make(file, path, drivers);
      const taken = takenNames(projects.current());
      return reportOf('new', facts, taken, facts.errors.length > 0 ? null : describe(await open(path)));
    });
  };
  return {
    async projectText({ channel_id }) {
      const session = projects.current();
      const one = channel_id === undefined ? null : findChannel(session, channel_id);
      requireFewChannels(one ? 1 : session.channels.list().length);
      const draft = projectFiles.newDraft();
      const settings = one ? null : textSettings(session);
      const channels = (one ? [one] : session.channels.list()).map(textChannel);
      const leftOut = one ? [] : session.store.channels.unknown().map(({ name }) => name);
      await writeDraft(draft, inTurns(projectText(settings, channels, leftOut)));
      return new FileAnswer(
        `${fileName(one?.settings.name ?? basename(session.store.path, extname(session.store.path)), 'project')}.json`,
        'application/json',
        draft,
      );
    },
    async importProjectText({ mode, path, file }) {
      if (!(file instanceof FileOnDisk)) throw invalidField('file', say('field.must_be', { expected: say('field.project_text') }));
      if (mode === 'preview') {
        const facts = await texts.check(file.path, drivers);
        return reportOf(mode, facts, takenNames(projects.current()), null);
      }
      if (mode === 'new' && path === undefined) throw invalidField('path', say('field.missing', { expected: say('service.project_path') }));
      return inTurn(() => (mode === 'new' ? make(file.path, path ?? '') : add(file.path)));
    },
  };
}

/** Without secrets, and without what was confirmed on this computer. */
function textSettings({ store }: ProjectSession): TextSettings {
  const publishers = readPublishers(store.settings);
  return { ...readSettings(store.settings), ...(publishers.length > 0 && { publishers }) };
}

function textChannel({ settings, points }: ChannelRuntime): TextChannel {
  return { settings, points: () => configsInTurns(points, new Turns().breathe) };
}

async function* inTurns(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  const turns = new Turns();
  for await (const piece of pieces) {
    yield piece;
    await turns.breathe();
  }
}

/** The facts, with errors for names that the open project has already. */
function withTaken(facts: TextFacts, names: ReadonlySet<string>): TextFacts {
  const taken = facts.channels.flatMap(({ at, name }) =>
    names.has(name) ? [fieldIssue(`channels[${at}].name`, say('project.text_name_taken'))] : [],
  );
  const unused = facts.hasSettings ? [fieldIssue('settings', say('project.text_settings'))] : [];
  return { ...facts, errors: [...facts.errors, ...taken], warnings: [...facts.warnings, ...unused] };
}

/** Names of the channels that the open project has, those that this program does not know among them. */
export function takenNames({ channels, store }: ProjectSession): ReadonlySet<string> {
  return new Set([...channels.list().map(({ settings }) => settings.name), ...store.channels.unknown().map(({ name }) => name)]);
}

/** A text that is written can be read. */
function requireFewChannels(count: number): void {
  if (count > MOST_CHANNELS) throw new AppError('STATE_CONFLICT', say('project.text_too_large', { count, most: MOST_CHANNELS }));
}

function reportOf(
  mode: ProjectTextReport['mode'],
  { version, channels, errors, warnings }: TextFacts,
  taken: ReadonlySet<string>,
  project: ProjectInfo | null,
): ProjectTextReport {
  return {
    mode,
    applied: project !== null,
    version,
    counts: {
      channels: channels.length,
      points: channels.reduce((sum, { points }) => sum + points, 0),
      errors: errors.length,
      warnings: warnings.length,
    },
    channels: channels.map(({ name, protocol, points }) => ({
      name,
      protocol_type: protocol,
      points,
      is_taken: project === null && taken.has(name),
    })),
    errors: listedErrors(errors),
    warnings: [...warnings],
    project,
  };
}
