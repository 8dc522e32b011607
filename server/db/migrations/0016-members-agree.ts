import type { Migration } from '../migrate.ts'

/** Whether a member agreed to belong. Who was one before is taken to have: nobody could be asked. */
export const membersAgree: Migration = {
  name: '0016-members-agree',
  statements: ({ milliseconds }) => [
    `alter table domain_members add column agreed_at ${milliseconds}`,
    'update domain_members set agreed_at = added_at',
  ],
}
