import type { Migration } from '../migrate.ts'

/** Whether a member agreed. Existing members count as agreed, because they couldn't be asked. */
export const memberConsent: Migration = {
  name: '0016-members-agree',
  statements: ({ bigint }) => [
    `alter table domain_members add column agreed_at ${bigint}`,
    'update domain_members set agreed_at = added_at',
  ],
}
