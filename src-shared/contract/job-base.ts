import { z } from 'zod';
import { DOCTOR_CODES } from '../domain/doctor.ts';
import { Id, MessageParamsSchema, MessageSchema, Timestamp } from './common.ts';

export const JOB_STATES = ['running', 'done', 'cancelled', 'failed'] as const;
export type JobState = (typeof JOB_STATES)[number];

export const JobId = z.guid();
export const SlaveId = z.int().min(0).max(999_999_999_999);

/** What every job says of itself. */
export const jobBase = {
  id: JobId,
  channel_id: Id.nullable().describe('the channel it works on; null for a search without a channel'),
  state: z.enum(JOB_STATES),
  current: z.int().describe('steps done'),
  total: z.int().describe('steps in all, as far as it is known now'),
  activity: z.string().describe('what it does now, one line; empty when it has ended'),
  activity_message: MessageSchema.optional(),
  started_at: Timestamp,
  ended_at: Timestamp.nullable(),
  last_error: z.string().nullable().describe('why it failed'),
  last_error_info: MessageSchema.optional(),
  dropped: z.int().describe('findings left out because the list is bounded'),
};

/** A sentence of the doctor: `text` and `next_step` are English, `code` and `params` make them in any language. */
export const DoctorNote = z.object({
  code: z.enum(DOCTOR_CODES).describe('stable; docs/guide/doctor.md lists them'),
  params: MessageParamsSchema,
  text: z.string(),
  next_step: z.string().nullable().describe('what to do now; null: nothing'),
});
export type DoctorNote = z.infer<typeof DoctorNote>;
