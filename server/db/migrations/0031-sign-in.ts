import type { Migration } from '../migrate.ts'

/** Passkeys, second factors, and how and when the person of a session last proved their identity; `null` in existing sessions. */
export const signInMethods: Migration = {
  name: '0031-sign-in',
  statements: ({ boolean, integer, json, bigint, text }) => [
    `alter table sessions add column method ${text}`,
    `alter table sessions add column proved_at ${bigint}`,
    `alter table people add column passkey_user_id ${text}`,
    'create unique index people_by_passkey_user on people (passkey_user_id) where passkey_user_id is not null',
    `create table passkeys (
      id ${text} primary key,
      person_id ${text} not null references people (id) on delete cascade,
      credential_id ${text} not null unique,
      public_key ${text} not null,
      counter ${bigint} not null,
      transports ${json} not null,
      aaguid ${text} not null,
      is_synced ${boolean} not null,
      is_backed_up ${boolean} not null,
      rp_id ${text} not null,
      name ${text} not null,
      created_at ${bigint} not null,
      last_used_at ${bigint}
    )`,
    'create index passkeys_by_person on passkeys (person_id)',
    `create table used_challenges (
      challenge_hash ${text} primary key,
      expires_at ${bigint} not null
    )`,
    `create table second_factors (
      person_id ${text} primary key references people (id) on delete cascade,
      sealed ${text} not null,
      last_step ${integer} not null,
      created_at ${bigint} not null,
      enabled_at ${bigint},
      rests_until ${bigint}
    )`,
    `create table recovery_codes (
      person_id ${text} not null references people (id) on delete cascade,
      code_hash ${text} not null,
      primary key (person_id, code_hash)
    )`,
    `create table pending_sign_ins (
      token_hash ${text} primary key,
      person_id ${text} not null references people (id) on delete cascade,
      password_fingerprint ${text} not null,
      wrong_codes ${integer} not null,
      expires_at ${bigint} not null
    )`,
    'create index pending_sign_ins_by_person on pending_sign_ins (person_id)',
    `create table platform_settings (
      name ${text} primary key,
      value ${text} not null,
      updated_at ${bigint} not null,
      updated_by ${text}
    )`,
  ],
}
