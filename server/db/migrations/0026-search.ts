import type { Migration } from '../migrate.ts'

interface SearchSource {
  entity: string
  table: string
  columns: string[]
  id?: (row: string) => string
  /** `from` clause with `owner_id` for tables without that column. */
  owner?: (row: string) => string
  isInBin?: boolean
}

const sources: SearchSource[] = [
  {
    entity: 'moment',
    table: 'moments',
    columns: ['title', 'body', 'mood_label', 'place', 'occurred_at', 'local_date'],
  },
  { entity: 'reflection', table: 'reflections', columns: ['content', 'topic'] },
  { entity: 'card', table: 'memory_cards', columns: ['content', 'topic'] },
  { entity: 'voice', table: 'voice_entries', columns: ['label', 'belief', 'transcript'] },
  { entity: 'logbook', table: 'logbook_entries', columns: ['entry', 'label', 'category', 'tags', 'occurred_on'] },
  { entity: 'echo', table: 'echoes', columns: ['message', 'sealed', 'delivered_at'] },
  { entity: 'journey', table: 'journeys', columns: ['title', 'purpose'] },
  { entity: 'topic', table: 'topics', columns: ['name', 'note', 'merged_into'] },
].map((source) => ({ ...source, columns: [...source.columns, 'keeper_id', 'owner_id', 'deleted_at'], isInBin: true }))

const ownerOfSession = (row: string) => `from chat_sessions where id = ${row}.session_id and person_id is not null`
const otherSources: SearchSource[] = [
  { entity: 'board', table: 'boards', columns: ['name', 'description', 'owner_id', 'deleted_at'], isInBin: true },
  {
    entity: 'frame',
    table: 'board_frames',
    columns: ['data'],
    id: (row) => `${row}.board_id || '/' || ${row}.id`,
    owner: (row) => `from boards where id = ${row}.board_id`,
  },
  {
    entity: 'chat',
    table: 'chat_sessions',
    columns: ['name', 'person_id'],
    owner: (row) => `from (select 1 as one) as single where ${row}.person_id is not null`,
  },
  { entity: 'message', table: 'messages', columns: ['content'], owner: ownerOfSession },
]
const ownerColumns: Record<string, string> = {
  frame: 'boards.owner_id',
  chat: 'chat_sessions.person_id',
  message: 'chat_sessions.person_id',
}

const pendingColumns = 'insert into search_pending (entity, id, owner_id, mark)'
const markAgain = 'on conflict (entity, id) do update set owner_id = excluded.owner_id, mark = search_pending.mark + 1;'
const getId = ({ id }: SearchSource, row: string) => (id ? id(row) : `${row}.id`)

function markPending(source: SearchSource): string {
  const { entity, owner } = source
  const id = getId(source, 'new')
  if (!owner) return `${pendingColumns} values ('${entity}', ${id}, new.owner_id, 1) ${markAgain}`
  const ownerId = entity === 'chat' ? 'new.person_id' : ownerColumns[entity]
  return `${pendingColumns} select '${entity}', ${id}, ${ownerId}, 1 ${owner('new')} ${markAgain}`
}

function markAllPending(source: SearchSource): string {
  const { entity, table, isInBin } = source
  const joins: Record<string, string> = {
    frame: ' join boards on boards.id = board_frames.board_id',
    message: ' join chat_sessions on chat_sessions.id = messages.session_id',
  }
  const ownerId = ownerColumns[entity] ?? `${table}.owner_id`
  const conditions = [`${ownerId} is not null`, ...(isInBin ? [`${table}.deleted_at is null`] : [])]
  return `${pendingColumns} select '${entity}', ${getId(source, table)}, ${ownerId}, 1
    from ${table}${joins[entity] ?? ''} where ${conditions.join(' and ')}`
}

const forget = (source: SearchSource) => {
  const condition = `where entity = '${source.entity}' and id = ${getId(source, 'old')};`
  // Pending first: it waits for an indexer that is writing the entry, so that the entry is deleted afterwards.
  return `delete from search_pending ${condition} delete from search_entries ${condition}`
}

const markJourney = (condition: string) =>
  `${pendingColumns} select 'journey', journeys.id, journeys.owner_id, 1 from journeys where ${condition} ${markAgain}`
const journeyOfPath = (row: string) =>
  markJourney(`journeys.id in (select journey_id from paths where paths.id = ${row}.path_id)`)
const topicOfAlias = (row: string) =>
  `${pendingColumns} select 'topic', topics.id, topics.owner_id, 1 from topics where topics.id = ${row}.topic_id ${markAgain}`

interface SearchTrigger {
  name: string
  event: string
  table: string
  body: string
}

function createTriggers(source: SearchSource): SearchTrigger[] {
  const { table, columns } = source
  return [
    { name: `${table}_added`, event: 'insert', table, body: markPending(source) },
    { name: `${table}_changed`, event: `update of ${columns.join(', ')}`, table, body: markPending(source) },
    { name: `${table}_removed`, event: 'delete', table, body: forget(source) },
  ]
}

const triggers: SearchTrigger[] = [
  ...[...sources, ...otherSources].flatMap(createTriggers),
  // A chat of a visitor becomes a person's when they sign in.
  {
    name: 'messages_adopted',
    event: 'update of person_id',
    table: 'chat_sessions',
    body: `${pendingColumns} select 'message', messages.id, new.person_id, 1 from messages
      where messages.session_id = new.id and new.person_id is not null and old.person_id is null ${markAgain}`,
  },
  {
    name: 'frames_transferred',
    event: 'update of owner_id',
    table: 'boards',
    body: `${pendingColumns} select 'frame', board_frames.board_id || '/' || board_frames.id, new.owner_id, 1
      from board_frames where board_frames.board_id = new.id ${markAgain}`,
  },
  ...(['insert', 'update of title, journey_id, deleted_at', 'delete'] as const).map((event) => {
    const row = event === 'delete' ? 'old' : 'new'
    const name = `paths_${event.slice(0, 6)}`
    return { name, event, table: 'paths', body: markJourney(`journeys.id = ${row}.journey_id`) }
  }),
  ...(['insert', 'update of title, note, path_id', 'delete'] as const).map((event) => {
    const name = `waypoints_${event.slice(0, 6)}`
    return { name, event, table: 'waypoints', body: journeyOfPath(event === 'delete' ? 'old' : 'new') }
  }),
  ...(['insert', 'update of alias, topic_id', 'delete'] as const).map((event) => {
    const name = `aliases_${event.slice(0, 6)}`
    return { name, event, table: 'topic_aliases', body: topicOfAlias(event === 'delete' ? 'old' : 'new') }
  }),
]

const sqliteTrigger = ({ name, event, table, body }: SearchTrigger) => [
  `create trigger search_${name} after ${event} on ${table} begin ${body} end`,
]
const postgresTrigger = ({ name, event, table, body }: SearchTrigger) => [
  `create function search_${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
  `create trigger search_${name} after ${event} on ${table} for each row execute function search_${name}()`,
]

export const search: Migration = {
  name: '0026-search',
  statements: ({ engine, text, bigint, integer }) => [
    `create table search_entries (
      position ${bigint} primary key,
      entity ${text} not null,
      id ${text} not null,
      owner_id ${text} not null references people (id) on delete cascade,
      container_id ${text} not null,
      day ${text} not null,
      text ${text} not null${engine === 'postgres' ? ', grams integer[] not null' : ''}
    )`,
    'create unique index search_entries_by_source on search_entries (entity, id)',
    'create index search_entries_by_owner on search_entries (owner_id, position)',
    'create index search_entries_by_container on search_entries (container_id, entity)',
    // Without a reference to people, because a cascade can mark entries of a person who is being deleted.
    `create table search_pending (
      entity ${text} not null,
      id ${text} not null,
      owner_id ${text} not null,
      mark ${integer} not null,
      primary key (entity, id)
    )`,
    'create index search_pending_by_owner on search_pending (owner_id)',
    ...(engine === 'postgres'
      ? ['create index search_entries_by_grams on search_entries using gin (grams)']
      : [
          `create virtual table search_index using fts5(grams, content='', contentless_delete=1, detail=none, tokenize='ascii')`,
          `insert into search_index (search_index, rank) values ('deletemerge', 5)`,
          `create trigger search_index_removed after delete on search_entries
            begin delete from search_index where rowid = old.position; end`,
        ]),
    ...triggers.flatMap(engine === 'postgres' ? postgresTrigger : sqliteTrigger),
    ...[...sources, ...otherSources].map(markAllPending),
  ],
}
