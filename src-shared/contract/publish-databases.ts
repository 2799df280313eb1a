import { z } from 'zod';
import { say } from '../messages/index.ts';
import { schemaWords } from '../messages/schema-words.ts';
import { lineOfText } from './common.ts';
import { authority } from './publish-authority.ts';

const line = (max: number) =>
  z
    .string()
    .max(max)
    .regex(...lineOfText);

const everyMs = z
  .int()
  .min(100)
  .max(3_600_000)
  .describe('least time between two batches that are not full, in milliseconds; a full one goes at once');

/** Records as lines for InfluxDB, and for what takes its lines. */
export const InfluxTarget = z.object({
  kind: z.literal('influxdb'),
  version: z.literal([1, 2]).describe('1: POST /write; 2: POST /api/v2/write, also of InfluxDB 3'),
  url: line(500)
    .regex(/^https?:\/\/(\[[0-9a-fA-F:.]+\]|[^\s/?#@:[\]]+)(:\d{1,5})?(\/[^\s?#@]*)?$/, { error: schemaWords(say('database.influx_url')) })
    .describe('http:// or https:// address of the server, such as http://192.168.1.20:8086'),
  database: line(200).min(1).describe('version 1: database; version 2: bucket'),
  retention_policy: line(200).describe('version 1: retention policy; empty: that of the database'),
  org: line(200).describe('version 2: organisation, by name or id; empty: none is named'),
  user: line(200).describe('version 1: user; empty: none. Its password, or the token of version 2, is set with PUT /api/publisher/secrets'),
  measurement: line(200)
    .regex(/^[^#_]/, { error: schemaWords(say('database.measurement')) })
    .describe('measurement of all lines'),
  every_ms: everyMs,
  ca: authority,
});

/** Records as rows of a table of PostgreSQL. */
export const PostgresTarget = z.object({
  kind: z.literal('postgresql'),
  url: line(500)
    .regex(/^postgres(ql)?:\/\/(\[[0-9a-fA-F:.]+\]|[^\s/?#@:[\]]+)(:\d{1,5})?\/[^\s/?#@]+$/, {
      error: schemaWords(say('database.postgres_url')),
    })
    .describe('postgresql://host:5432/database; user and password never stand in it'),
  user: line(200).min(1).describe('the password is set with PUT /api/publisher/secrets'),
  table: line(130)
    .regex(/^[a-z_][a-z0-9_]{0,62}(\.[a-z_][a-z0-9_]{0,62})?$/, { error: schemaWords(say('database.table')) })
    .describe('table, such as loopcheck_values or plant.loopcheck_values'),
  create_table: z.boolean().describe('the table is made where there is none'),
  tls: z.boolean().describe('true: the connection is encrypted, and the certificate of the server verified; false: neither'),
  every_ms: everyMs,
  ca: authority,
});
