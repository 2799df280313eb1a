import type { PointSuggestion as SuggestionRow } from '#shared/contract/iec61850.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import { english } from '#shared/messages/index.ts';
import type { PointSuggestion } from '../../drivers/spi/model.ts';
import { canonicalReference } from '../../runtime/tasks/dataset-snapshot.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { PointStore } from '../../runtime/values/point-table.ts';

/** Longest code of a point. */
const CODE_LENGTH = 100;

/** Suggestions in the names of the contract, with codes that are free in the channel and among each other. */
export function suggestionRows(channel: ChannelRuntime, suggestions: readonly PointSuggestion[]): SuggestionRow[] {
  const { points } = channel;
  const present = presentReferences(points);
  const taken = new Set<string>();
  const isFree = (code: string) => !taken.has(code) && points.byCode(code) === undefined;
  return suggestions.map((suggestion) => {
    const { reference } = suggestion;
    if (!('point' in suggestion))
      return { reference, point: null, reason: english(suggestion.reason), reason_message: suggestion.reason, present_code: null };
    const { frame_type: frameType, name, unit, mul_coe: mulCoe, add_coe: addCoe, protocol } = suggestion.point;
    const scale = { ...(mulCoe === undefined ? {} : { mul_coe: mulCoe }), ...(addCoe === undefined ? {} : { add_coe: addCoe }) };
    const code = freeCode(suggestion.point.code, isFree);
    taken.add(code);
    return {
      reference,
      point: { frame_type: frameType, code, name, reference: suggestion.point.reference, unit, ...scale, protocol: { ...protocol } },
      reason: '',
      present_code: present.get(placeOf(frameType, suggestion.point.reference)) ?? null,
    };
  });
}

function freeCode(wanted: string, isFree: (code: string) => boolean): string {
  for (let count = 1; ; count++) {
    const end = count === 1 ? '' : `_${count}`;
    const code = wanted.slice(0, CODE_LENGTH - end.length) + end;
    if (isFree(code)) return code;
  }
}

function placeOf(frameType: FrameType, reference: string): string {
  return `${frameType} ${canonicalReference(reference)}`;
}

function presentReferences(points: PointStore): ReadonlyMap<string, string> {
  const withReference = points.configs().filter((point) => point.reference !== '');
  return new Map(withReference.map((point) => [placeOf(point.frame_type, point.reference), point.code]));
}
