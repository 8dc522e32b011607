import type { Migration } from '../migrate.ts'

export const pendingEmails: Migration = {
  name: '0034-pending-emails',
  statements: ({ integer, bigint, text }) => [
    `create table pending_emails (
      id ${text} primary key,
      kind ${text} not null,
      subject_id ${text} not null,
      person_id ${text} not null references people (id) on delete cascade,
      created_at ${bigint} not null,
      attempts ${integer} not null,
      problem ${text} not null,
      next_attempt_at ${bigint}
    )`,
    'create unique index pending_emails_by_subject on pending_emails (kind, subject_id)',
    'create index pending_emails_by_attempt on pending_emails (next_attempt_at) where next_attempt_at is not null',
    'create index pending_emails_by_person on pending_emails (person_id)',
  ],
}
