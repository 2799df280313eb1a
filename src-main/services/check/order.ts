import { CHECK_TEMPLATE_FORMAT, CHECK_TEMPLATE_VERSION, CheckTemplate, CheckTemplateItem } from '#shared/contract/check-order.ts';
import { invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { Turns } from '../../platform/turns.ts';
import { fileName } from '../file-name.ts';
import type { Handlers } from '../handlers.ts';
import type { ServiceDeps } from '../ports.ts';
import { arrange, inOrder, putInOrder, type Rule } from './arrange.ts';
import { CheckBook } from './check-book.ts';

type OrderHandlers = Pick<Handlers, 'orderCheckItems' | 'orderByCableList' | 'checkTemplate' | 'applyCheckTemplate'>;

const ITEMS_A_LOOK = 200;

/** Order of the items of a session, and templates. */
export function checkOrderHandlers(deps: ServiceDeps): OrderHandlers {
  const arranged = (sessionId: number, rules: readonly Rule[], channelId: number | undefined) => {
    const book = CheckBook.of(deps);
    const { id } = book.find(sessionId);
    return book.changing(id, () => arrange(deps.projects.current(), book, book.find(id).id, rules, channelId));
  };
  return {
    orderCheckItems({ session_id, by }) {
      const book = CheckBook.of(deps);
      const { id } = book.find(session_id);
      return book.changing(id, async () => ({ changed: await putInOrder(book, id, await inOrder(book.items(id), by)) }));
    },
    async orderByCableList({ session_id, channel_id, file }) {
      CheckBook.of(deps).find(session_id);
      const rows = await deps.tables.cableList(new Uint8Array(await file.arrayBuffer()));
      const rules = rows.map(({ group, ...row }): Rule => ({ ...row, change: group === '' ? {} : { group } }));
      return arranged(session_id, rules, channel_id);
    },
    async checkTemplate({ session_id }) {
      const book = CheckBook.of(deps);
      const { id, name } = book.find(session_id);
      const { channels } = deps.projects.current();
      const turns = new Turns();
      const lines: string[] = [];
      for (const { channelId, channel, code, frameType, group, expectation } of book.items(id)) {
        if (lines.length % ITEMS_A_LOOK === 0) await turns.breathe();
        const named = channels.get(channelId)?.settings.name ?? channel;
        lines.push(JSON.stringify({ channel: named, code, frame_type: frameType, group, expectation } satisfies CheckTemplateItem));
      }
      const head = `{"format":"${CHECK_TEMPLATE_FORMAT}","version":${CHECK_TEMPLATE_VERSION},"items":[`;
      const bytes = Buffer.from(`${head}\n${lines.join(',\n')}\n]}\n`);
      return { name: `${fileName(name, 'check')}-template.json`, mediaType: 'application/json', bytes };
    },
    async applyCheckTemplate({ session_id, channel_id, file }) {
      CheckBook.of(deps).find(session_id);
      return arranged(session_id, await templateRules(await file.text()), channel_id);
    },
  };
}

/** The rules of a template. Throws `CONFIG_INVALID` for a file that is none, or of a newer version. */
async function templateRules(text: string): Promise<Rule[]> {
  const turns = new Turns();
  const template = CheckTemplate.safeParse(parsed(text));
  if (!template.success) throw invalidField('file', say('check.no_template'));
  const { version, items } = template.data;
  if (version > CHECK_TEMPLATE_VERSION) throw invalidField('file', say('check.newer_template', { version, known: CHECK_TEMPLATE_VERSION }));
  const rules: Rule[] = [];
  for (const [at, each] of items.entries()) {
    if (at % ITEMS_A_LOOK === 0) await turns.breathe();
    const item = CheckTemplateItem.safeParse(each);
    if (!item.success) throw invalidField('file', say('check.template_item', { item: at + 1 }));
    const { channel, code, frame_type: frameType, group, expectation } = item.data;
    rules.push({ row: at + 1, channel, code, frameType, change: { group, expectation } });
  }
  return rules;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
}
