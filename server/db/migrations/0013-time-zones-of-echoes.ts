import type { Migration } from '../migrate.ts'

/** An echo's day starts in its writer's time zone; existing echoes stay in UTC. */
export const timeZonesOfEchoes: Migration = {
  name: '0013-time-zones-of-echoes',
  statements: () => ['alter table echoes add column trigger_timezone text'],
}
