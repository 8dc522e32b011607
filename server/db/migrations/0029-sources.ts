import type { Migration } from '../migrate.ts'

const markPending = `insert into search_pending (entity, id, owner_id, mark) values ('source', new.id, new.owner_id, 1)
  on conflict (entity, id) do update set owner_id = excluded.owner_id, mark = search_pending.mark + 1;`
const isSource = `where entity = 'source' and id = old.id;`
/** As in 0026, which marks every other kind of entry. */
const searchTriggers = [
  { name: 'sources_added', event: 'insert', body: markPending },
  {
    name: 'sources_changed',
    event: 'update of title, text, occurred_at, keeper_id, owner_id, deleted_at',
    body: markPending,
  },
  {
    name: 'sources_removed',
    event: 'delete',
    body: `delete from search_pending ${isSource} delete from search_entries ${isSource}`,
  },
]

export const sources: Migration = {
  name: '0029-sources',
  statements: ({ boolean, engine, integer, json, bigint, text }) => [
    `create table sources (
      id ${text} primary key,
      keeper_id ${text} not null references keepers (id) on delete cascade,
      owner_id ${text} not null references people (id) on delete cascade,
      created_at ${bigint} not null,
      updated_at ${bigint} not null,
      deleted_at ${bigint},
      rev ${integer} not null default 1,
      kind ${text} not null,
      title ${text} not null,
      text ${text} not null,
      messages ${json} not null,
      message_count ${integer} not null,
      current_message_id ${text},
      occurred_at ${bigint} not null,
      changed_at ${bigint},
      keepable ${boolean} not null,
      ai_visible ${boolean} not null,
      source_kind ${text},
      source_id ${text},
      import_id ${text}
    )`,
    'create index sources_by_time on sources (keeper_id, occurred_at, id) where deleted_at is null',
    'create unique index sources_by_source on sources (keeper_id, source_kind, source_id) where source_id is not null',
    'create index sources_by_import on sources (import_id) where import_id is not null',
    ...searchTriggers.flatMap(({ name, event, body }) =>
      engine === 'sqlite'
        ? [`create trigger search_${name} after ${event} on sources begin ${body} end`]
        : [
            `create function search_${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
            `create trigger search_${name} after ${event} on sources for each row execute function search_${name}()`,
          ],
    ),
  ],
}
