/** What publishing into databases says: InfluxDB and PostgreSQL. */
export const DATABASE_MESSAGES = {
  'database.influx_url': 'must be an http:// or https:// address such as http://192.168.1.20:8086, without user, password, ? and #',
} as const;
