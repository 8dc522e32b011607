import type { Migration } from '../migrate.ts'

/** The day of an echo begins where its writer lives. Those written before keep theirs, which begins in UTC. */
export const timeZonesOfEchoes: Migration = {
  name: '0013-time-zones-of-echoes',
  statements: () => ['alter table echoes add column trigger_timezone text'],
}
