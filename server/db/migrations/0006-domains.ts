import type { Migration } from '../migrate.ts'

const postgresAppendOnlyTriggers = [
  `create or replace function refuse_audit_change() returns trigger language plpgsql as $$ begin
      raise exception 'audit_events is append-only';
    end $$`,
  `create trigger audit_events_stay before update or delete on audit_events
      for each row execute function refuse_audit_change()`,
]
const sqliteAppendOnlyTriggers = ['update', 'delete'].map(
  (operation) => `create trigger audit_events_stay_on_${operation} before ${operation} on audit_events
      begin select raise(abort, 'audit_events is append-only'); end`,
)

export const domains: Migration = {
  name: '0006-domains',
  statements: ({ engine, boolean, integer, json, bigint, text }) => [
    `alter table people add column deletes_at ${bigint}`,
    `alter table sessions add column device ${text}`,

    `alter table domains add column lead_agent_id ${text} references agents (id) on delete set null`,
    `alter table domains add column custom_domain_token ${text}`,
    `alter table domains add column custom_domain_attached_at ${bigint}`,
    `alter table domains add column custom_domain_checked_at ${bigint}`,
    `alter table domains add column custom_domain_broken_since ${bigint}`,
    `alter table domains add column custom_domain_failures ${integer} not null default 0`,
    `alter table domains add column setup_just_me ${boolean} not null default false`,
    `alter table domains add column setup_no_custom_domain ${boolean} not null default false`,
    `alter table domains add column setup_skipped ${json} not null default '[]'`,
    'create unique index domains_by_verified_name on domains (custom_domain) where custom_domain_verified',
    'create index domains_by_lead_agent on domains (lead_agent_id)',
    'create unique index primary_domains on domains (owner_id) where is_primary',

    `alter table domain_members add column added_by ${text}`,
    `alter table domain_members add column note ${text} not null default ''`,
    `alter table domain_members add column journey_ids ${json} not null default '[]'`,

    `create table invitations (
      id ${text} primary key,
      domain_id ${text} not null references domains (id) on delete cascade,
      email ${text} not null,
      email_folded ${text} not null,
      role ${text} not null,
      note ${text} not null,
      token_hash ${text} not null unique,
      invited_by ${text} references people (id) on delete set null,
      created_at ${bigint} not null,
      sent_at ${bigint} not null,
      expires_at ${bigint} not null,
      accepted_at ${bigint},
      accepted_by ${text} references people (id) on delete set null,
      revoked_at ${bigint}
    )`,
    'create index invitations_by_domain on invitations (domain_id, created_at)',
    `create unique index open_invitations on invitations (domain_id, email_folded)
      where accepted_at is null and revoked_at is null`,

    `create table domain_keepers (
      domain_id ${text} not null references domains (id) on delete cascade,
      keeper_id ${text} not null references keepers (id) on delete cascade,
      owner_id ${text} not null references people (id) on delete cascade,
      with_moments ${boolean} not null,
      with_journeys ${boolean} not null,
      with_logbook ${boolean} not null,
      with_sole ${boolean} not null,
      for_admin ${boolean} not null,
      for_user ${boolean} not null,
      for_friend ${boolean} not null,
      for_connection ${boolean} not null,
      shared_at ${bigint} not null,
      primary key (domain_id, keeper_id)
    )`,
    'create index domain_keepers_by_keeper on domain_keepers (keeper_id)',
    'create index domain_keepers_by_owner on domain_keepers (owner_id)',
    `create table domain_journeys (
      domain_id ${text} not null references domains (id) on delete cascade,
      journey_id ${text} not null references journeys (id) on delete cascade,
      owner_id ${text} not null references people (id) on delete cascade,
      for_admin ${boolean} not null,
      for_user ${boolean} not null,
      for_friend ${boolean} not null,
      for_connection ${boolean} not null,
      shared_at ${bigint} not null,
      primary key (domain_id, journey_id)
    )`,
    'create index domain_journeys_by_journey on domain_journeys (journey_id)',
    'create index domain_journeys_by_owner on domain_journeys (owner_id)',

    // No references: audit events outlive accounts and domains.
    `create table audit_events (
      id ${text} primary key,
      at ${bigint} not null,
      action ${text} not null,
      actor_id ${text},
      person_id ${text},
      domain_id ${text},
      subject ${text},
      details ${json} not null
    )`,
    'create index audit_events_by_time on audit_events (at, id)',
    'create index audit_events_by_actor on audit_events (actor_id, at, id)',
    'create index audit_events_by_person on audit_events (person_id, at, id)',
    `create index audit_events_of_verified_names on audit_events (subject) where action = 'custom-domain-verified'`,
    'create index audit_events_by_domain on audit_events (domain_id, at, id)',
    ...(engine === 'sqlite' ? sqliteAppendOnlyTriggers : postgresAppendOnlyTriggers),
    'create index people_by_created on people (created_at, id)',
    'create index people_by_deletion on people (deletes_at) where deletes_at is not null',
    // Deleted words leave the index right away, not at its next merge.
    ...(engine === 'sqlite' ? [`insert into card_words (card_words, rank) values ('secure-delete', 1)`] : []),
  ],
}
