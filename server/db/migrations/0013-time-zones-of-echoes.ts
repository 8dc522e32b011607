import type { Migration } from '../migrate.ts'

/** An echo's day starts in its writer's time zone; existing echoes stay in UTC. */
export const echoTimeZones: Migration = {
  name: '0013-time-zones-of-echoes',
  statements: () => ['alter table echoes add column trigger_timezone text'],
}
