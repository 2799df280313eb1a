import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { FrameType } from '#shared/domain/enums.ts';
import { useOperation } from '../../api/hooks.ts';
import type { FieldProps } from '../../ui/form/field.tsx';

interface RelatedCodeFieldProps extends FieldProps {
  readonly channelId: number;
  readonly frameType: FrameType;
}

/** Code of the point that shows the effect of a command: a YX for a YK, a YC for a YT; points of the channel are offered. */
export function RelatedCodeField({ text, value, error, onChange, channelId, frameType }: RelatedCodeFieldProps) {
  const typed = typeof value === 'string' ? value : '';
  const [search] = useDebouncedValue(typed, 250);
  const found = useOperation('pointTable', {
    channel_id: channelId,
    page: 1,
    page_size: 20,
    frame_type: frameType === FrameType.yk ? FrameType.yx : FrameType.yc,
    ...(search ? { search } : {}),
  });
  const names = new Map((found.data?.items ?? []).map((point) => [point.code, point.name]));
  return (
    <Autocomplete
      label={text.label}
      description={text.hint}
      error={error}
      data={[...names.keys()]}
      filter={({ options }) => options}
      value={typed}
      onChange={onChange}
      renderOption={({ option }) => (
        <span>
          {option.value} <small style={{ color: 'var(--lc-muted)' }}>{names.get(option.value)}</small>
        </span>
      )}
      data-path="related_code"
    />
  );
}
