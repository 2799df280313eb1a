/** What publishing into databases says: InfluxDB and PostgreSQL. */
export const DATABASE_MESSAGES = {
  'database.influx_url': 'must be an http:// or https:// address such as http://192.168.1.20:8086, without user, password, ? and #',
  'database.measurement': 'must not begin with # or _, which InfluxDB keeps for itself',
  'database.postgres_url': 'must be postgresql://host:5432/database, without user and password',
  'database.table': 'must be a table in small letters, digits and _, such as loopcheck_values or plant.loopcheck_values',
  'database.influx_credentials': '{{url}} does not accept the token, or user and password (status {{status}}): {{reason}}',
  'database.influx_none': '{{url}} has no database or bucket "{{database}}" (status 404): {{reason}}',
  'database.influx_failed': '{{url}} did not take the lines (status {{status}}): {{reason}}',
  'database.influx_later': '{{url}} asks to come back later (status {{status}}).',
  'database.credentials': '{{url}} does not accept user and password (code {{code}}): {{reason}}',
  'database.no_password': '{{url}} asks for a password, and none is set.',
  'database.none': '{{url}}: there is no such database (code {{code}}): {{reason}}',
  'database.failed': '{{url}} refused (code {{code}}): {{reason}}',
  'database.no_table': '{{url}} has no table {{table}}; make it with the statement in the guide, or let it be made.',
  'database.no_key':
    'The table {{table}} of {{url}} has no unique index over session and sequence, so a record that is sent again would stand there twice; add the key of the guide.',
  'database.no_tls': '{{url}} does not offer encrypted connections; switch TLS on there, or off here.',
} as const;
