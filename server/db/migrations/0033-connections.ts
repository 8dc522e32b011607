import type { Migration } from '../migrate.ts'

export const connections: Migration = {
  name: '0033-connections',
  statements: ({ boolean, json, bigint, text }) => [
    `create table connections (
      id ${text} primary key,
      owner_id ${text} not null references people (id) on delete cascade,
      name ${text} not null,
      client_id ${text},
      host ${text},
      scopes ${json} not null,
      keeper_ids ${json},
      topics ${json},
      without_moods ${boolean} not null,
      purpose ${text} not null,
      created_at ${bigint} not null,
      expires_at ${bigint},
      last_used_at ${bigint},
      revoked_at ${bigint}
    )`,
    'create index connections_of_owner on connections (owner_id, created_at)',
    `create table connection_tokens (
      token_hash ${text} primary key,
      connection_id ${text} not null references connections (id) on delete cascade,
      kind ${text} not null,
      hint ${text} not null,
      resource ${text},
      created_at ${bigint} not null,
      expires_at ${bigint},
      replaced_at ${bigint}
    )`,
    'create index connection_tokens_of_connection on connection_tokens (connection_id)',
    'create index connection_tokens_by_end on connection_tokens (expires_at)',
    `create table oauth_clients (
      id ${text} primary key,
      name ${text} not null,
      redirect_uris ${json} not null,
      created_at ${bigint} not null,
      last_used_at ${bigint}
    )`,
    `create table oauth_codes (
      code_hash ${text} primary key,
      connection_id ${text} not null references connections (id) on delete cascade,
      client_id ${text} not null,
      redirect_uri ${text} not null,
      code_challenge ${text} not null,
      resource ${text},
      expires_at ${bigint} not null,
      used_at ${bigint}
    )`,
    'create index oauth_codes_of_connection on oauth_codes (connection_id)',
    `create table proposals (
      id ${text} primary key,
      owner_id ${text} not null references people (id) on delete cascade,
      keeper_id ${text} not null references keepers (id) on delete cascade,
      kind ${text} not null,
      title ${text},
      content ${text} not null,
      topic ${text},
      occurred_on ${text},
      words ${text} not null,
      state ${text} not null,
      reason ${text},
      entry_id ${text},
      created_at ${bigint} not null,
      decided_at ${bigint},
      rev ${bigint} not null default 1
    )`,
    'create index proposals_of_owner on proposals (owner_id, state, created_at)',
    'create index proposals_of_keeper on proposals (keeper_id)',
    `create table proposal_senders (
      id ${text} primary key,
      proposal_id ${text} not null references proposals (id) on delete cascade,
      connection_id ${text},
      agent_id ${text},
      name ${text} not null,
      content ${text} not null,
      quote ${text},
      created_at ${bigint} not null
    )`,
    'create index proposal_senders_of_proposal on proposal_senders (proposal_id)',
    'create index proposal_senders_of_connection on proposal_senders (connection_id)',
    `create table chat_fingerprints (
      fingerprint ${text} primary key,
      session_id ${text} not null references chat_sessions (id) on delete cascade,
      created_at ${bigint} not null
    )`,
    'create index chat_fingerprints_of_session on chat_fingerprints (session_id)',
    `alter table memory_reads add column connection_id ${text}`,
    'create index memory_reads_of_connection on memory_reads (connection_id, read_at) where connection_id is not null',
  ],
}
