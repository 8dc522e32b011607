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

// A card's words are normalized before storage, so each is a lexeme. Changing the text without the words marks the card for indexing.
const postgresCardWords = [
  `create index memory_cards_by_words on memory_cards using gin (array_to_tsvector(string_to_array(words, ' ')))`,
  `create or replace function forget_card_words() returns trigger language plpgsql as $$ begin
      if new.words is not distinct from old.words
        and (new.content is distinct from old.content or new.topic is distinct from old.topic)
      then new.words := null; end if;
      return new;
    end $$`,
  `create trigger memory_cards_text_changed before update on memory_cards
      for each row execute function forget_card_words()`,
]

// The index also contains IDs: they limit a search to one keeper and find the entry to remove.
const removeCardWords = `delete from card_words where rowid in (
        select rowid from card_words
        where card_words match 'card:"' || replace(old.id, '"', '""') || '"' and card = old.id);`
const addCardWords =
  'insert into card_words (card, keeper, words) select new.id, new.keeper_id, new.words where new.words is not null;'
const sqliteCardWords = [
  `create virtual table card_words using fts5(card, keeper, words, tokenize = 'unicode61 remove_diacritics 2')`,
  `create trigger card_words_added after insert on memory_cards begin ${addCardWords} end`,
  `create trigger card_words_changed after update of words, keeper_id on memory_cards
      when new.words is not old.words or new.keeper_id is not old.keeper_id begin ${removeCardWords} ${addCardWords} end`,
  `create trigger card_words_removed after delete on memory_cards begin ${removeCardWords} end`,
  `create trigger memory_cards_text_changed after update of content, topic on memory_cards
      when new.words is old.words and (new.content is not old.content or new.topic is not old.topic)
      begin update memory_cards set words = null where id = new.id; end`,
]

export const keepers: Migration = {
  name: '0004-keepers',
  statements: (types) => {
    const { boolean, json, bigint, integer, bytes, text } = types
    return [
      `create table keepers (
      id ${text} primary key,
      owner_id ${text} not null references people (id) on delete cascade,
      title ${text} not null,
      purpose ${text} not null,
      keeper_type ${text} not null,
      keeper_type_id ${text} references keeper_types (id) on delete set null,
      memory_pattern ${text} not null,
      theme ${text} not null,
      is_public ${boolean} not null,
      created_at ${bigint} not null,
      updated_at ${bigint} not null,
      deleted_at ${bigint},
      rev ${integer} not null default 1
    )`,
      'create index keepers_by_owner on keepers (owner_id, created_at, id)',
      'create index keepers_by_type on keepers (keeper_type_id)',

      `create table engagement_templates (
      id ${text} primary key,
      owner_id ${text} references people (id) on delete cascade,
      kind ${text} not null,
      slug ${text} not null unique,
      label ${text} not null,
      type ${text} not null,
      description ${text} not null,
      category ${text} not null,
      system ${boolean} not null,
      fields ${json} not null,
      steps ${json} not null,
      target ${text} not null,
      created_at ${bigint} not null,
      updated_at ${bigint} not null,
      rev ${integer} not null default 1
    )`,
      'create index engagement_templates_by_owner on engagement_templates (owner_id)',
      `create table keeper_type_templates (
      keeper_type_id ${text} not null references keeper_types (id) on delete cascade,
      template_id ${text} not null references engagement_templates (id) on delete cascade,
      position ${integer} not null,
      primary key (keeper_type_id, template_id)
    )`,
      'create index keeper_type_templates_by_template on keeper_type_templates (template_id)',
      `create table keeper_templates (
      keeper_id ${text} not null references keepers (id) on delete cascade,
      template_id ${text} not null references engagement_templates (id) on delete cascade,
      linked_at ${bigint} not null,
      primary key (keeper_id, template_id)
    )`,
      'create index keeper_templates_by_template on keeper_templates (template_id)',
      `create table template_runs (${createEntryColumns(types)},
      template_id ${text} not null references engagement_templates (id) on delete cascade,
      step ${integer} not null,
      answers ${json} not null,
      entries ${json} not null,
      wait_until ${bigint},
      finished_at ${bigint}
    )`,
      createKeeperIndex('template_runs'),
      'create index template_runs_by_template on template_runs (template_id)',

      `create table memory_patterns (
      id ${text} primary key,
      owner_id ${text} references people (id) on delete cascade,
      slug ${text} not null unique,
      name ${text} not null,
      description ${text} not null,
      system ${boolean} not null,
      sections ${json} not null,
      capture_from ${json} not null,
      promote ${json} not null,
      created_at ${bigint} not null,
      updated_at ${bigint} not null,
      rev ${integer} not null default 1
    )`,
      `create table agent_classes (
      id ${text} primary key,
      owner_id ${text} references people (id) on delete cascade,
      slug ${text} not null unique,
      name ${text} not null,
      description ${text} not null,
      system ${boolean} not null,
      base ${text} not null,
      defaults ${json} not null,
      created_at ${bigint} not null,
      updated_at ${bigint} not null,
      rev ${integer} not null default 1
    )`,

      `create table reflections (${createEntryColumns(types)},
      agent_id ${text} not null,
      topic ${text},
      content ${text} not null,
      ai_visible ${boolean} not null,
      rested_at ${bigint},
      promoted_at ${bigint},
      moment_id ${text},
      source_kind ${text},
      source_id ${text}
    )`,
      createKeeperIndex('reflections'),
      `create table memory_cards (${createEntryColumns(types)},
      reflection_id ${text},
      reflection_agent_id ${text},
      reflection_created_at ${bigint},
      content ${text} not null,
      topic ${text},
      ai_visible ${boolean} not null,
      state ${text} not null,
      source_kind ${text},
      source_id ${text},
      embedded_with ${text},
      embedded_at ${bigint},
      words ${text}
    )`,
      createKeeperIndex('memory_cards'),
      'create index memory_cards_without_words on memory_cards (keeper_id) where words is null',
      ...(types.engine === 'postgres' ? postgresCardWords : sqliteCardWords),
      'create index memory_cards_by_owner on memory_cards (owner_id, keeper_id) where deleted_at is null',
      'create unique index memory_cards_by_reflection on memory_cards (reflection_id) where reflection_id is not null',
      `create table card_vectors (
      card_id ${text} primary key references memory_cards (id) on delete cascade,
      keeper_id ${text} not null references keepers (id) on delete cascade,
      model ${text} not null,
      dimensions ${integer} not null,
      vector ${bytes} not null,
      signs ${bytes} not null,
      created_at ${bigint} not null
    )`,
      'create index card_vectors_by_keeper on card_vectors (keeper_id, model, created_at, card_id)',
      `create table embedding_jobs (
      id ${text} primary key,
      keeper_id ${text} not null references keepers (id) on delete cascade,
      owner_id ${text} not null references people (id) on delete cascade,
      state ${text} not null,
      model ${text} not null,
      total ${integer} not null,
      done ${integer} not null,
      error ${text},
      created_at ${bigint} not null,
      updated_at ${bigint} not null,
      lease_until ${bigint} not null
    )`,
      'create index embedding_jobs_by_keeper on embedding_jobs (keeper_id, created_at)',
      `create unique index embedding_jobs_one_at_a_time on embedding_jobs (keeper_id) where state = 'running'`,

      `create table voice_entries (${createEntryColumns(types)},
      agent_id ${text} not null,
      label ${text} not null,
      belief ${text} not null,
      ai_visible ${boolean} not null,
      audio_id ${text},
      duration_ms ${integer},
      transcript ${text},
      transcript_status ${text} not null,
      transcript_error ${text},
      transcript_until ${bigint},
      language ${text},
      strength ${integer},
      still_true ${json} not null,
      source_kind ${text},
      source_id ${text}
    )`,
      createKeeperIndex('voice_entries'),
      `create table echoes (${createEntryColumns(types)},
      agent_id ${text} not null,
      message ${text} not null,
      sealed ${boolean} not null,
      trigger_at ${bigint},
      trigger_conditions ${json},
      armed_at ${bigint},
      ready_at ${bigint},
      ready_because ${text},
      mailed_at ${bigint},
      delivered_at ${bigint},
      source_kind ${text},
      source_id ${text}
    )`,
      createKeeperIndex('echoes'),
      'create index echoes_by_trigger on echoes (trigger_at) where ready_at is null and delivered_at is null and deleted_at is null',
      `create table logbook_entries (${createEntryColumns(types)},
      agent_id ${text} not null,
      entry ${text} not null,
      label ${text} not null,
      category ${text} not null,
      tags ${json} not null,
      occurred_on ${text} not null,
      pinned ${boolean} not null,
      ai_visible ${boolean} not null,
      moment_id ${text},
      journey_id ${text},
      source_kind ${text},
      source_id ${text}
    )`,
      createKeeperIndex('logbook_entries'),
      ...['reflections', 'memory_cards', 'voice_entries', 'echoes', 'logbook_entries'].map(createSourceIndex),
    ]
  },
}
