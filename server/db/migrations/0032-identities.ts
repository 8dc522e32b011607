import type { Migration } from '../migrate.ts'

/** Identities at an OpenID Connect provider, roles that a claim gave, and the lock of idle sessions. */
export const identities: Migration = {
  name: '0032-identities',
  statements: ({ boolean, integer, bigint, text }) => [
    `create table identities (
      id ${text} primary key,
      person_id ${text} not null references people (id) on delete cascade,
      issuer ${text} not null,
      subject ${text} not null,
      created_at ${bigint} not null,
      last_used_at ${bigint}
    )`,
    'create unique index identities_by_subject on identities (issuer, subject)',
    'create index identities_by_person on identities (person_id)',
    `alter table role_grants add column from_claim ${boolean} not null default false`,
    `create table app_locks (
      person_id ${text} primary key references people (id) on delete cascade,
      idle_minutes ${integer} not null,
      pin_hash ${text}
    )`,
    `alter table sessions add column locked_at ${bigint}`,
    `alter table sessions add column wrong_unlocks ${integer} not null default 0`,
  ],
}
