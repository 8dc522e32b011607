import type { Migration } from '../migrate.ts'

export const studio: Migration = {
  name: '0003-studio',
  statements: ({ boolean, json, bigint, integer, text }) => [
    `alter table agents add column visitors_spend_owner_key ${boolean} not null default false`,
    `alter table agents add column visitor_daily_micros ${bigint}`,
    `create table agent_grants (
      agent_id ${text} not null references agents (id) on delete cascade,
      person_id ${text} not null references people (id) on delete cascade,
      may_run ${boolean} not null,
      may_edit ${boolean} not null,
      may_share ${boolean} not null,
      may_delete ${boolean} not null,
      granted_by ${text},
      granted_at ${bigint} not null,
      primary key (agent_id, person_id)
    )`,
    'create index agent_grants_by_person on agent_grants (person_id)',
    `create table agent_versions (
      agent_id ${text} not null references agents (id) on delete cascade,
      rev ${integer} not null,
      author_id ${text} references people (id) on delete set null,
      origin ${text} not null,
      restored_rev ${integer},
      golden_run_id ${text},
      snapshot ${json} not null,
      created_at ${bigint} not null,
      primary key (agent_id, rev)
    )`,
    `create table held_slugs (
      slug ${text} primary key,
      owner_id ${text},
      held_until ${bigint} not null
    )`,
    `create table golden_questions (
      id ${text} primary key,
      agent_id ${text} not null references agents (id) on delete cascade,
      question ${text} not null,
      expectation ${text} not null,
      judged_by ${text} not null,
      source_run_id ${text},
      created_by ${text} references people (id) on delete set null,
      created_at ${bigint} not null,
      updated_at ${bigint} not null,
      rev ${integer} not null default 1
    )`,
    'create index golden_questions_by_agent on golden_questions (agent_id, created_at)',
    `create table golden_runs (
      id ${text} primary key,
      agent_id ${text} not null references agents (id) on delete cascade,
      person_id ${text} not null references people (id) on delete cascade,
      base_rev ${integer} not null,
      candidate ${json},
      status ${text} not null,
      results ${json} not null,
      created_at ${bigint} not null,
      finished_at ${bigint},
      lease_until ${bigint} not null
    )`,
    'create index golden_runs_by_agent on golden_runs (agent_id, created_at)',
    `create table model_calls (
      id ${text} primary key,
      run_id ${text} not null,
      agent_id ${text} not null,
      agent_owner_id ${text},
      person_id ${text} references people (id) on delete cascade,
      visitor_id ${text},
      provider ${text} not null,
      model ${text} not null,
      key_source ${text} not null,
      payer ${text},
      input_tokens ${integer} not null,
      output_tokens ${integer} not null,
      cost_micros ${bigint},
      estimated ${boolean} not null,
      failure ${text},
      duration_ms ${integer} not null,
      created_at ${bigint} not null
    )`,
    'create index model_calls_by_time on model_calls (created_at)',
    'create index model_calls_by_person on model_calls (person_id, created_at)',
    'create index model_calls_by_owner on model_calls (agent_owner_id, created_at)',
    'create index model_calls_by_run on model_calls (run_id)',
    'create index model_calls_by_agent on model_calls (agent_id, created_at)',
    `create table budgets (
      scope ${text} not null,
      subject ${text} not null,
      limit_micros ${bigint},
      warn_at_percent ${integer} not null,
      updated_at ${bigint} not null,
      updated_by ${text},
      primary key (scope, subject)
    )`,
    `create table spend_windows (
      bucket ${text} not null,
      window_start ${bigint} not null,
      micros ${bigint} not null,
      primary key (bucket, window_start)
    )`,
    `create table model_prices (
      provider ${text} not null,
      model ${text} not null,
      input_micros ${bigint} not null,
      output_micros ${bigint} not null,
      updated_at ${bigint} not null,
      updated_by ${text},
      primary key (provider, model)
    )`,
    `alter table messages add column parent_id ${text}`,
    `update messages set parent_id = (
      select before.id from messages as before
      where before.session_id = messages.session_id and before.position < messages.position
      order by before.position desc limit 1
    )`,
    `alter table chat_sessions add column shown_message_id ${text}`,
    `update chat_sessions set shown_message_id = (
      select messages.id from messages where messages.session_id = chat_sessions.id order by messages.position desc limit 1
    )`,
    `alter table runs add column origin ${text} not null default 'run'`,
    `alter table runs add column payer ${text}`,
    `update runs set payer = case key_source when 'platform' then 'platform' else person_id end
      where key_source in ('platform', 'personal')`,
    `insert into model_calls (
      id, run_id, agent_id, agent_owner_id, person_id, visitor_id, provider, model, key_source, payer,
      input_tokens, output_tokens, cost_micros, estimated, failure, duration_ms, created_at
    ) select id, id, agent_id, agent_owner_id, person_id, visitor_id, model_provider, model, key_source, payer,
      input_tokens, output_tokens, cost_micros, usage_estimated, error_code, coalesce(execution_time_ms, 0), created_at
      from runs where status <> 'running'`,
    `alter table runs add column tools ${json}`,
    `alter table runs add column sources ${json}`,
    `alter table runs add column overrides ${json}`,
    'create index runs_by_owner on runs (agent_owner_id, created_at, person_id)',
    'create index runs_by_time on runs (created_at)',
    `alter table run_spans add column agent_slug ${text}`,
    `alter table run_spans add column provider ${text}`,
    `alter table run_spans add column model ${text}`,
    `alter table run_spans add column memory ${json}`,
    `create table tool_decisions (
      run_id ${text} not null references runs (id) on delete cascade,
      call_id ${text} not null,
      allowed ${boolean} not null,
      decided_at ${bigint} not null,
      primary key (run_id, call_id)
    )`,
    `create table media (
      id ${text} primary key,
      run_id ${text} references runs (id) on delete cascade,
      person_id ${text} references people (id) on delete cascade,
      visitor_id ${text},
      sha256 ${text} not null,
      mime ${text} not null,
      bytes ${integer} not null,
      created_at ${bigint} not null
    )`,
    'create index media_by_run on media (run_id)',
    'create index media_by_person on media (person_id)',
    'create index media_by_sha256 on media (sha256)',
    `alter table provider_keys add column rejected_at ${bigint}`,
    `create table context_texts (
      scope ${text} primary key,
      body ${text} not null,
      updated_at ${bigint} not null,
      updated_by ${text}
    )`,
    `create table keeper_types (
      id ${text} primary key,
      owner_id ${text} references people (id) on delete cascade,
      slug ${text} not null unique,
      name ${text} not null,
      description ${text} not null,
      memory_pattern ${text} not null,
      system ${boolean} not null,
      created_at ${bigint} not null,
      updated_at ${bigint} not null,
      rev ${integer} not null default 1
    )`,
    'create index keeper_types_by_owner on keeper_types (owner_id)',
    `create table agent_keeper_types (
      agent_id ${text} not null references agents (id) on delete cascade,
      keeper_type_id ${text} not null references keeper_types (id) on delete cascade,
      assigned_at ${bigint} not null,
      assigned_by ${text},
      primary key (agent_id, keeper_type_id)
    )`,
    'create index agent_keeper_types_by_type on agent_keeper_types (keeper_type_id)',
  ],
}
