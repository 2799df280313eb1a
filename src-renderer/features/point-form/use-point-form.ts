import { useTranslation } from 'react-i18next';
import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import { operations } from '#shared/contract/index.ts';
import { NewPoint, type Point } from '#shared/contract/points.ts';
import { FrameType, isServing } from '#shared/domain/enums.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { useAction } from '../../api/hooks.ts';
import { checkField, issueText, serviceIssues, unplacedError } from '../../ui/form/issues.ts';
import { type FormRecord, type RecordForm, useRecordForm, valueAt } from '../../ui/form/record-form.ts';
import { notifyDone } from '../../ui/notify.ts';
import {
  changedPoint,
  followingValues,
  newPointValues,
  type PointFormSections,
  pointPaths,
  pointSections,
  pointSpec,
  pointValues,
  toPointInput,
} from './point-form-model.ts';
import { closePointForm } from './point-form-store.ts';

interface PointFormContext {
  readonly channel: Channel;
  readonly descriptor: ProtocolDescriptor;
  /** The point to change; null adds one. */
  readonly point: Point | null;
  /** Settings a new point starts with. */
  readonly template: Point | null;
}

export interface PointFormState extends PointFormContext {
  readonly form: RecordForm;
  readonly frameType: FrameType;
  readonly sections: PointFormSections;
  readonly isPending: boolean;
  readonly error: AppError | null;
  submit(keepOpen: boolean): void;
}

const REFRESH = ['pointTable', 'listChannels', 'pointHistory'] as const;

function usePointCheck() {
  const { t } = useTranslation('fields');
  return (input: FormRecord, sections: PointFormSections): Record<string, string> => {
    const errors: Record<string, string> = {};
    for (const issue of NewPoint.safeParse(input).error?.issues ?? []) {
      const path = issue.path.join('.');
      const value = valueAt(input, path);
      const isText = path === 'address' && typeof value === 'string' && value !== '';
      errors[path] ??= isText ? t('issue.address') : issueText(t, issue, pointSpec(path), value);
    }
    if (sections.access.some((spec) => spec.key === 'address') && input.address === undefined) errors.address = t('issue.required');
    if (sections.access.some((spec) => spec.key === 'reference') && input.reference === '') errors.reference = t('issue.required');
    for (const spec of sections.protocol) {
      const text = checkField(t, spec, valueAt(input, `protocol.${spec.key}`));
      if (text) errors[`protocol.${spec.key}`] = text;
    }
    return errors;
  };
}

function frameTypeOf(values: FormRecord): FrameType {
  return Object.values(FrameType).find((type) => type === values.frame_type) ?? FrameType.yc;
}

function initialValues({ descriptor, point, template }: PointFormContext): FormRecord {
  if (point) return pointValues(point);
  return template ? followingValues(pointValues(template), descriptor.hints) : newPointValues(descriptor, FrameType.yc);
}

/** State and saving of the point form. Saving changes the point table only; no device is written to. */
export function usePointForm(context: PointFormContext): PointFormState {
  const { channel, descriptor, point } = context;
  const { t } = useTranslation('fields');
  const form = useRecordForm(initialValues(context));
  const add = useAction('addPoints', REFRESH);
  const edit = useAction('editPoint', REFRESH);
  const check = usePointCheck();
  const frameType = frameTypeOf(form.values);
  const stored = (point ?? context.template)?.protocol ?? {};
  const sections = pointSections(descriptor, frameType, { of: isServing(channel.conn_type) ? 'server' : 'client', stored });

  const submitNew = (input: FormRecord, keepOpen: boolean) =>
    add.mutate(
      { channel_id: channel.id, points: [NewPoint.parse(input)] },
      {
        onError: (error) => form.setErrors(serviceIssues(error, 'points.0.')),
        onSuccess: () => {
          notifyDone(t('pointForm.added', { code: String(input.code) }));
          if (keepOpen) form.setAll(followingValues(form.values, descriptor.hints));
          else closePointForm();
        },
      },
    );
  const submitChanges = (existing: Point, input: FormRecord) => {
    const key = { point_id: existing.id, frame_type: existing.frame_type };
    const changes = operations.editPoint.body.parse({ ...changedPoint(existing, input), ...key });
    edit.mutate(changes, {
      onError: (error) => form.setErrors(serviceIssues(error)),
      onSuccess: ({ data }) => {
        notifyDone(t('pointForm.changed', { code: data.code }));
        closePointForm();
      },
    });
  };
  return {
    ...context,
    form,
    frameType,
    sections,
    isPending: add.isPending || edit.isPending,
    error: unplacedError(add.error ?? edit.error, pointPaths(sections), point ? '' : 'points.0.'),
    submit: (keepOpen) => {
      const input = toPointInput(form.values, sections);
      const errors = check(input, sections);
      form.setErrors(errors);
      if (Object.keys(errors).length > 0) return;
      if (point) submitChanges(point, input);
      else submitNew(input, keepOpen);
    },
  };
}
