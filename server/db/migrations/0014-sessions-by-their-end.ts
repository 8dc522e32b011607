import type { Migration } from '../migrate.ts'

export const sessionExpiryIndex: Migration = {
  name: '0014-sessions-by-their-end',
  statements: () => ['create index sessions_by_end on sessions (expires_at)'],
}
