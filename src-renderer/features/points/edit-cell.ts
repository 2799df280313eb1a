import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { InputOf } from '#shared/contract/index.ts';
import { NewPoint, type Point } from '#shared/contract/points.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { inWords } from '../../i18n/words.ts';
import type { CellEdit } from '../../ui/data-grid/column.ts';
import { issueText, serviceIssues } from '../../ui/form/issues.ts';
import { pointSpec } from '../point-form/point-form-model.ts';
import { parseNumber } from '../write/write-rules.ts';
import { exactNumber } from './point-text.ts';

/** Settings that are edited in the table: no other setting hangs on them. */
export const EDITABLE_FIELDS = ['name', 'unit', 'note', 'mul_coe', 'add_coe', 'min_limit', 'max_limit'] as const;
export type EditableField = (typeof EDITABLE_FIELDS)[number];

const NUMBERS: ReadonlySet<EditableField> = new Set(['mul_coe', 'add_coe', 'min_limit', 'max_limit']);
/** Without a limit there is none; a factor is always there. */
const LIMITS: ReadonlySet<EditableField> = new Set(['min_limit', 'max_limit']);

/** The value a text stands for; undefined for a text that is no number where one is needed. */
function valueOfText(field: EditableField, text: string): string | number | null | undefined {
  if (!NUMBERS.has(field)) return text.trim();
  if (text.trim() === '') return LIMITS.has(field) ? null : undefined;
  return parseNumber(text) ?? undefined;
}

function textOf(point: Point, field: EditableField): string {
  const value = point[field];
  return value === null ? '' : typeof value === 'number' ? exactNumber(value) : value;
}

/**
 * How the settings of points are edited in the table; undefined for a setting that the protocol does not have. What is refused is told by the
 * service, the contract or the number itself, and nothing is written to a device.
 */
export function useCellEdit(channel: Channel | null, protocol: ProtocolDescriptor | undefined) {
  const { t } = useTranslation('fields');
  const { t: grid } = useTranslation('grid');
  const client = useQueryClient();
  const channelId = channel?.id;
  return useMemo(() => {
    const known = new Set(protocol?.point_fields.flatMap(({ fields }) => fields) ?? EDITABLE_FIELDS);
    async function save(field: EditableField, point: Point, text: string): Promise<string | null> {
      const value = valueOfText(field, text);
      if (value === undefined) return grid('notNumber');
      const issue = NewPoint.shape[field].safeParse(value).error?.issues[0];
      if (issue) return issueText(t, issue, pointSpec(field), value);
      const input: InputOf<'editPoint'> = { point_id: point.id, frame_type: point.frame_type, [field]: value };
      try {
        await api.call('editPoint', input);
      } catch (thrown) {
        const error = toAppError(thrown);
        return serviceIssues(error)[field] ?? inWords(error.said, error.message);
      }
      await Promise.all(['pointTable', 'pointHistory'].map((key) => client.invalidateQueries({ queryKey: [key] })));
      return null;
    }
    return (field: EditableField): CellEdit<Point> | undefined => {
      const maxLength = pointSpec(field)?.maxLength ?? undefined;
      if (channelId === undefined || !known.has(field)) return undefined;
      return {
        kind: NUMBERS.has(field) ? 'number' : 'text',
        valueOf: (point) => textOf(point, field),
        save: (point, text) => save(field, point, text),
        ...(maxLength === undefined ? {} : { maxLength }),
      };
    };
  }, [channelId, protocol, t, grid, client]);
}
