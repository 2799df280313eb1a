/** Texts of frames as answers carry them: in English, with the message beside. */
import type { ExplainNode, FrameEntry } from '#shared/contract/frames.ts';
import { english, say } from '#shared/messages/index.ts';
import type { ExplainedNode, Explanation, FrameText } from '../drivers/spi/index.ts';

/** The line of an entry: its explanation, and what was remarked when it was logged. */
export function entryTexts(explanation: Pick<Explanation, 'summary'> | null, remark: FrameText): Pick<FrameEntry, 'text' | 'text_message'> {
  const summary = explanation?.summary ?? '';
  const both = summary !== '' && remark !== '';
  const text = both ? say('frame.explained_and_remarked', { summary, remark }) : summary || remark;
  return typeof text === 'string' ? { text, text_message: null } : { text: english(text), text_message: text };
}

/** A node and those below it. */
export function spokenNode({ name, value, start, end, severity, children }: ExplainedNode): ExplainNode {
  return {
    name: english(name),
    name_message: asMessage(name),
    value: english(value),
    value_message: asMessage(value),
    start,
    end,
    severity,
    children: children.map(spokenNode),
  };
}

function asMessage(text: FrameText): ExplainNode['name_message'] {
  return typeof text === 'string' ? null : text;
}
