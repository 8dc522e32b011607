import type { ColumnTypes } from '../column-types.ts'
import type { Migration } from '../migrate.ts'

const createEntryColumns = ({ bigint, integer, text }: ColumnTypes) => `
      id ${text} primary key,
      keeper_id ${text} not null references keepers (id) on delete cascade,
      owner_id ${text} not null references people (id) on delete cascade,
      created_at ${bigint} not null,
      updated_at ${bigint} not null,
      deleted_at ${bigint},
      rev ${integer} not null default 1`

const createKeeperIndex = (table: string, columns = 'keeper_id, created_at, id') =>
  `create index ${table}_by_keeper on ${table} (${columns}) where deleted_at is null`

// Unique including rows in the trash, so that a repeated import doesn't bring them back.
const createSourceIndex = (table: string) =>
  `create unique index ${table}_by_source on ${table} (keeper_id, source_kind, source_id) where source_id is not null`

export const keeperStories: Migration = {
  name: '0005-keeper-stories',
  statements: (types) => {
    const { boolean, json, bigint, integer, text } = types
    return [
      `create table journeys (${createEntryColumns(types)},
      title ${text} not null,
      purpose ${text} not null,
      status ${text} not null,
      started_on ${text},
      ends_on ${text},
      completed_at ${bigint},
      color ${text} not null,
      ai_visible ${boolean} not null,
      source_kind ${text},
      source_id ${text}
    )`,
      createKeeperIndex('journeys'),
      `create table paths (${createEntryColumns(types)},
      journey_id ${text} not null references journeys (id) on delete cascade,
      title ${text} not null,
      state ${text} not null,
      position ${integer} not null
    )`,
      createKeeperIndex('paths'),
      'create index paths_by_journey on paths (journey_id, position)',
      `create table waypoints (
      id ${text} primary key,
      path_id ${text} not null references paths (id) on delete cascade,
      title ${text} not null,
      note ${text} not null,
      due_on ${text},
      done_at ${bigint},
      position ${integer} not null
    )`,
      'create index waypoints_by_path on waypoints (path_id, position)',

      `create table moments (${createEntryColumns(types)},
      occurred_at ${bigint} not null,
      local_date ${text} not null,
      timezone ${text} not null,
      title ${text},
      body ${text} not null,
      mood_score ${integer},
      mood_label ${text},
      place ${json},
      weather ${json},
      journey_id ${text},
      prompt_id ${text},
      pinned ${boolean} not null,
      ai_visible ${boolean} not null,
      source_kind ${text},
      source_id ${text}
    )`,
      'create index moments_by_time on moments (keeper_id, occurred_at, id) where deleted_at is null',
      'create index moments_by_date on moments (keeper_id, local_date, occurred_at, id) where deleted_at is null',
      'create index moments_by_writing on moments (keeper_id, created_at) where deleted_at is null',
      'create index moments_by_journey on moments (journey_id, occurred_at) where journey_id is not null',
      `create table waypoint_moments (
      waypoint_id ${text} not null references waypoints (id) on delete cascade,
      moment_id ${text} not null references moments (id) on delete cascade,
      position ${integer} not null,
      primary key (waypoint_id, moment_id)
    )`,
      'create index waypoint_moments_by_moment on waypoint_moments (moment_id)',
      ...['moments', 'journeys'].map(createSourceIndex),

      `create table topics (${createEntryColumns(types)},
      name ${text} not null,
      name_folded ${text} not null,
      color ${text} not null,
      note ${text} not null,
      pinned ${boolean} not null,
      merged_into ${text}
    )`,
      'create unique index topics_by_name on topics (keeper_id, name_folded) where deleted_at is null and merged_into is null',
      `create table topic_aliases (
      keeper_id ${text} not null references keepers (id) on delete cascade,
      alias_folded ${text} not null,
      alias ${text} not null,
      topic_id ${text} not null references topics (id) on delete cascade,
      primary key (keeper_id, alias_folded)
    )`,
      'create index topic_aliases_by_topic on topic_aliases (topic_id)',
      `create table entry_topics (
      entity ${text} not null,
      entity_id ${text} not null,
      topic_id ${text} not null references topics (id) on delete cascade,
      keeper_id ${text} not null references keepers (id) on delete cascade,
      said_at ${bigint} not null,
      primary key (entity, entity_id, topic_id)
    )`,
      'create index entry_topics_by_topic on entry_topics (topic_id, said_at)',
      'create index entry_topics_by_keeper on entry_topics (keeper_id)',
      `create table topic_merges (
      id ${text} primary key,
      keeper_id ${text} not null references keepers (id) on delete cascade,
      topic_id ${text} not null references topics (id) on delete cascade,
      target_id ${text} not null references topics (id) on delete cascade,
      aliases ${json} not null,
      merged_at ${bigint} not null,
      undone_at ${bigint}
    )`,
      'create index topic_merges_by_target on topic_merges (target_id)',
      `create table topic_merge_links (
      merge_id ${text} not null references topic_merges (id) on delete cascade,
      entity ${text} not null,
      entity_id ${text} not null,
      had_both ${boolean} not null,
      primary key (merge_id, entity, entity_id)
    )`,

      `create table sole_versions (
      id ${text} primary key,
      keeper_id ${text} not null references keepers (id) on delete cascade,
      owner_id ${text} not null references people (id) on delete cascade,
      version ${integer} not null,
      status ${text} not null,
      type ${text} not null,
      content ${text} not null,
      statements ${json} not null,
      author_kind ${text} not null,
      author_id ${text},
      author_name ${text} not null,
      run_id ${text},
      based_on ${integer},
      submitted_at ${bigint} not null,
      decided_by ${text},
      decided_at ${bigint},
      reason ${text},
      left_out ${json} not null default '[]'
    )`,
      'create unique index sole_versions_by_keeper on sole_versions (keeper_id, version)',
      `create unique index sole_versions_one_draft on sole_versions (keeper_id) where status = 'draft'`,
      `create unique index sole_versions_one_active on sole_versions (keeper_id) where status = 'active'`,
      `create table sole_reviewers (
      keeper_id ${text} not null references keepers (id) on delete cascade,
      person_id ${text} not null references people (id) on delete cascade,
      granted_at ${bigint} not null,
      primary key (keeper_id, person_id)
    )`,
      'create index sole_reviewers_by_person on sole_reviewers (person_id)',

      `create table entry_history (
      id ${text} primary key,
      keeper_id ${text} not null references keepers (id) on delete cascade,
      owner_id ${text} not null references people (id) on delete cascade,
      entity ${text} not null,
      entity_id ${text} not null,
      rev ${integer} not null,
      snapshot ${json} not null,
      saved_at ${bigint} not null
    )`,
      'create index entry_history_by_entry on entry_history (entity, entity_id, rev)',
      `create table memory_reads (
      id ${text} primary key,
      keeper_id ${text} not null references keepers (id) on delete cascade,
      owner_id ${text} not null references people (id) on delete cascade,
      entity ${text} not null,
      entity_id ${text} not null,
      run_id ${text} not null,
      agent_id ${text} not null,
      agent_name ${text} not null,
      purpose ${text} not null,
      read_at ${bigint} not null
    )`,
      'create index memory_reads_by_entry on memory_reads (entity, entity_id, read_at)',
      'create index memory_reads_by_run on memory_reads (run_id)',

      `create table import_jobs (
      id ${text} primary key,
      owner_id ${text} not null references people (id) on delete cascade,
      keeper_id ${text} references keepers (id) on delete set null,
      kind ${text} not null,
      state ${text} not null,
      file_name ${text} not null,
      bytes ${bigint} not null,
      sha256 ${text} not null,
      preview ${json},
      total ${integer} not null,
      done ${integer} not null,
      error ${text},
      created_at ${bigint} not null,
      updated_at ${bigint} not null,
      lease_until ${bigint} not null
    )`,
      'create index import_jobs_by_owner on import_jobs (owner_id, created_at)',

      ...[
        `keeper_id ${text} references keepers (id) on delete cascade`,
        `entity ${text}`,
        `entity_id ${text}`,
        `position ${integer}`,
        `name ${text}`,
        `alt ${text}`,
        `width ${integer}`,
        `height ${integer}`,
        `duration_ms ${integer}`,
        `gone_at ${bigint}`,
      ].map((column) => `alter table media add column ${column}`),
      'create index media_by_entry on media (entity, entity_id)',
      'create index media_by_keeper on media (keeper_id)',
    ]
  },
}
