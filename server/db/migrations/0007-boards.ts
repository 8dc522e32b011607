import type { Migration } from '../migrate.ts'

export const boards: Migration = {
  name: '0007-boards',
  statements: ({ boolean, integer, json, bigint, text }) => [
    `create table boards (
      id ${text} primary key,
      owner_id ${text} not null references people (id) on delete cascade,
      domain_id ${text} references domains (id) on delete set null,
      name ${text} not null,
      description ${text} not null,
      type ${text} not null,
      engagement_mode ${text} not null,
      layout ${text} not null,
      allow_layout_editing ${boolean} not null,
      animation ${text} not null,
      theme ${json},
      entity_type ${text},
      entity_id ${text},
      frame_count ${integer} not null,
      created_at ${bigint} not null,
      updated_at ${bigint} not null,
      saved_by ${text} references people (id) on delete set null,
      rev ${integer} not null default 1,
      deleted_at ${bigint},
      link_hash ${text} unique,
      link_made_at ${bigint},
      link_opened_at ${bigint}
    )`,
    'create index boards_by_owner on boards (owner_id, updated_at)',
    'create index boards_by_domain on boards (domain_id)',
    'create index boards_by_saver on boards (saved_by)',
    `create unique index boards_of_entities on boards (owner_id, entity_type, entity_id)
      where entity_id is not null and deleted_at is null`,
    'create index boards_by_deletion on boards (deleted_at) where deleted_at is not null',

    `create table board_frames (
      board_id ${text} not null references boards (id) on delete cascade,
      id ${text} not null,
      position ${integer} not null,
      engagement_mode ${text} not null,
      theme ${text},
      entity_type ${text},
      entity_id ${text},
      data ${json} not null,
      created_at ${bigint} not null,
      updated_at ${bigint} not null,
      primary key (board_id, id)
    )`,

    `create table board_versions (
      board_id ${text} not null references boards (id) on delete cascade,
      rev ${integer} not null,
      at ${bigint} not null,
      person_id ${text} references people (id) on delete set null,
      name ${text} not null,
      frame_count ${integer} not null,
      snapshot ${json} not null,
      primary key (board_id, rev)
    )`,
    'create index board_versions_by_person on board_versions (person_id)',

    `create table board_pictures (
      id ${text} primary key,
      board_id ${text} not null references boards (id) on delete cascade,
      person_id ${text} not null references people (id) on delete cascade,
      mime ${text} not null,
      bytes ${integer} not null,
      sha256 ${text} not null,
      name ${text},
      width ${integer},
      height ${integer},
      created_at ${bigint} not null
    )`,
    'create index board_pictures_by_board on board_pictures (board_id)',
    'create index board_pictures_by_bytes on board_pictures (sha256)',
    'create index board_pictures_by_person on board_pictures (person_id)',

    `create table board_templates (
      id ${text} primary key,
      owner_id ${text} not null references people (id) on delete cascade,
      name ${text} not null,
      description ${text} not null,
      config ${json} not null,
      frames ${json} not null,
      created_at ${bigint} not null
    )`,
    'create index board_templates_by_owner on board_templates (owner_id, created_at)',

    `create table domain_boards (
      domain_id ${text} not null references domains (id) on delete cascade,
      board_id ${text} not null references boards (id) on delete cascade,
      owner_id ${text} not null references people (id) on delete cascade,
      admin_may ${text} not null,
      user_may ${text} not null,
      friend_may ${text} not null,
      connection_may ${text} not null,
      shared_at ${bigint} not null,
      primary key (domain_id, board_id)
    )`,
    'create index domain_boards_by_board on domain_boards (board_id)',
    'create index domain_boards_by_owner on domain_boards (owner_id)',
  ],
}
