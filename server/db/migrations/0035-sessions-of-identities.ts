import type { Migration } from '../migrate.ts'

/**
 * The identity a session was signed in with, and the provider’s ID of that sign-in, so that a logout there ends the session;
 * and remembered devices, which skip the two-factor code.
 */
export const sessionsOfIdentities: Migration = {
  name: '0035-sessions-of-identities',
  statements: ({ bigint, text }) => [
    `alter table sessions add column identity_id ${text} references identities (id) on delete set null`,
    `alter table sessions add column provider_session ${text}`,
    'create index sessions_by_identity on sessions (identity_id) where identity_id is not null',
    'create index sessions_by_provider_session on sessions (provider_session) where provider_session is not null',
    `create table remembered_devices (
      id ${text} primary key,
      person_id ${text} not null references people (id) on delete cascade,
      token_hash ${text} not null unique,
      device ${text},
      created_at ${bigint} not null,
      expires_at ${bigint} not null
    )`,
    'create index remembered_devices_by_person on remembered_devices (person_id)',
  ],
}
