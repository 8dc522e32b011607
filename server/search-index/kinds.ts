import { type Selectable, sql } from 'kysely'
import type { FrameData } from '#contract/boards/boards.ts'
import { readContent } from '#contract/boards/frame-content.ts'
import type { SearchType } from '#contract/keepers/search.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'
import { toReadableText } from '#server/values/character-references.ts'

/** An entry with its text as displayed to people. */
export interface SearchableEntry {
  ownerId: string
  /** The keeper, board or chat that shows it. */
  containerId: string
  at: number
  day: string
  title: string
  texts: string[]
}

/** Leaves out entries that no longer exist, are in the trash or hide their text. */
type LoadEntries = (db: Services['db'], ids: readonly string[]) => Promise<Map<string, SearchableEntry>>

interface SearchableKind {
  type: SearchType
  load: LoadEntries
}

type KeeperTable =
  | 'moments'
  | 'reflections'
  | 'memory_cards'
  | 'voice_entries'
  | 'logbook_entries'
  | 'echoes'
  | 'journeys'
  | 'topics'
  | 'sources'
type EntryTexts = { at?: number; day?: string; title?: string | null; texts: (string | null | undefined)[] }

export const toDay = (at: number) => new Date(at).toISOString().slice(0, 10)

function createKeeperLoader<Table extends KeeperTable>(
  table: Table,
  getTexts: (row: Selectable<Schema[Table]>) => EntryTexts | undefined,
  loadMoreTexts?: (db: Services['db'], ids: readonly string[]) => Promise<Map<string, string[]>>,
): LoadEntries {
  return async (db, ids) => {
    const rows = await db
      .selectFrom(table as 'moments')
      .selectAll()
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .execute()
    const moreTexts = await loadMoreTexts?.(db, ids)
    return new Map(
      rows.flatMap((row) => {
        const entryTexts = getTexts(row as unknown as Selectable<Schema[Table]>)
        if (!entryTexts) return []
        const { at = row.created_at, title, texts } = entryTexts
        const entry = {
          ownerId: row.owner_id,
          containerId: row.keeper_id,
          at,
          day: entryTexts.day ?? toDay(at),
          title: title ?? '',
          texts: [...texts, ...(moreTexts?.get(row.id) ?? [])].filter((text) => text !== null && text !== undefined),
        }
        return [[row.id, entry]]
      }),
    )
  }
}

async function loadPathTexts(db: Services['db'], journeyIds: readonly string[]): Promise<Map<string, string[]>> {
  const paths = await db
    .selectFrom('paths')
    .leftJoin('waypoints', 'waypoints.path_id', 'paths.id')
    .select(['paths.id', 'paths.journey_id', 'paths.title', 'waypoints.title as waypoint', 'waypoints.note'])
    .where('paths.journey_id', 'in', journeyIds)
    .where('paths.deleted_at', 'is', null)
    .orderBy('paths.position')
    .orderBy('waypoints.position')
    .execute()
  const texts = new Map<string, string[]>()
  const addedPathIds = new Set<string>()
  for (const { id, journey_id, title, waypoint, note } of paths) {
    const journeyTexts = texts.get(journey_id) ?? []
    if (!addedPathIds.has(id)) journeyTexts.push(title)
    addedPathIds.add(id)
    journeyTexts.push(waypoint ?? '', note ?? '')
    texts.set(journey_id, journeyTexts)
  }
  return texts
}

async function loadAliases(db: Services['db'], topicIds: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('topic_aliases')
    .select(['topic_id', 'alias'])
    .where('topic_id', 'in', topicIds)
    .execute()
  const byTopic = Map.groupBy(rows, ({ topic_id }) => topic_id)
  return new Map([...byTopic].map(([id, aliases]) => [id, aliases.map(({ alias }) => alias)]))
}

type EntryRow = Pick<SearchableEntry, 'containerId' | 'at' | 'title'> & { id: string; ownerId: string | null }

/** Rows of a visitor's chat have no owner and are left out. */
function createRowLoader<Row extends EntryRow>(
  select: (db: Services['db'], ids: readonly string[]) => Promise<Row[]>,
  getTexts: (row: Row) => string[] = () => [],
): LoadEntries {
  return async (db, ids) => {
    const rows = await select(db, ids)
    return new Map(
      rows.flatMap((row) => {
        const { id, ownerId, containerId, at, title } = row
        if (ownerId === null) return []
        return [[id, { ownerId, containerId, at, day: toDay(at), title, texts: getTexts(row) }] as const]
      }),
    )
  }
}

const loadChats = createRowLoader((db, ids) =>
  db
    .selectFrom('chat_sessions')
    .select(['id', 'id as containerId', 'person_id as ownerId', 'name as title', 'updated_at as at'])
    .where('id', 'in', ids)
    .execute(),
)

const loadMessages = createRowLoader(
  (db, ids) =>
    db
      .selectFrom('messages')
      .innerJoin('chat_sessions', 'chat_sessions.id', 'messages.session_id')
      .select(['messages.id', 'messages.session_id as containerId', 'chat_sessions.person_id as ownerId'])
      .select(['messages.content', 'messages.created_at as at', sql<string>`''`.as('title')])
      .where('messages.id', 'in', ids)
      .execute(),
  ({ content }) => [toReadableText(content)],
)

const loadBoards = createRowLoader(
  (db, ids) =>
    db
      .selectFrom('boards')
      .select(['id', 'id as containerId', 'owner_id as ownerId', 'name as title', 'description', 'updated_at as at'])
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .execute(),
  ({ description }) => [description],
)

/** The ID of a frame is unique only on its board. */
const loadFrames = createRowLoader(
  async (db, ids) => {
    const boardIds = ids.map((id) => id.slice(0, id.indexOf('/')))
    const frameIds = ids.map((id) => id.slice(id.indexOf('/') + 1))
    const rows = await db
      .selectFrom('board_frames')
      .innerJoin('boards', 'boards.id', 'board_frames.board_id')
      .select(['board_frames.board_id as containerId', 'board_frames.id', 'board_frames.data'])
      .select(['boards.owner_id as ownerId', 'board_frames.created_at as at'])
      .where('board_frames.board_id', 'in', boardIds)
      .where('board_frames.id', 'in', frameIds)
      .execute()
    return rows.map((row) => ({ ...row, id: `${row.containerId}/${row.id}`, title: row.data.name ?? '' }))
  },
  ({ data }) => [data.description ?? '', ...getFrameTexts(data)],
)

function getFrameTexts({ frameType, content }: FrameData): string[] {
  switch (frameType) {
    case 'media_card': {
      const { title, caption, alt } = readContent(frameType, content)
      return [title, caption, alt]
    }
    case 'preview':
      return [readContent(frameType, content).html.replace(/<[^<>]*>/g, ' ')]
    case 'code_snippet':
      return [readContent(frameType, content).code]
    case 'process_frame':
      return readContent(frameType, content).steps.map(({ title }) => title)
    case 'agent_preview':
      return [readContent(frameType, content).input]
    default:
      return []
  }
}

/** Everything that can be searched. Another kind also needs triggers that mark its rows: see docs/decisions/0035. */
export const searchableKinds: Record<string, SearchableKind> = {
  moment: {
    type: 'moment',
    load: createKeeperLoader('moments', ({ occurred_at, local_date, title, body, mood_label, place }) => ({
      at: occurred_at,
      day: local_date,
      title,
      texts: [toReadableText(body), mood_label, place?.name],
    })),
  },
  reflection: {
    type: 'reflection',
    load: createKeeperLoader('reflections', ({ topic, content }) => ({ texts: [toReadableText(content), topic] })),
  },
  card: {
    type: 'card',
    load: createKeeperLoader('memory_cards', ({ topic, content }) => ({ texts: [toReadableText(content), topic] })),
  },
  voice: {
    type: 'voice',
    load: createKeeperLoader('voice_entries', ({ label, belief, transcript }) => ({
      title: label,
      texts: [belief, transcript],
    })),
  },
  logbook: {
    type: 'logbook',
    load: createKeeperLoader('logbook_entries', ({ label, entry, category, tags, occurred_on }) => ({
      at: Date.parse(`${occurred_on}T12:00:00Z`),
      day: occurred_on,
      title: label,
      texts: [entry, category, ...tags],
    })),
  },
  echo: {
    type: 'echo',
    load: createKeeperLoader('echoes', ({ message, sealed, delivered_at }) =>
      sealed && delivered_at === null ? undefined : { texts: [message] },
    ),
  },
  journey: {
    type: 'journey',
    load: createKeeperLoader('journeys', ({ title, purpose }) => ({ title, texts: [purpose] }), loadPathTexts),
  },
  topic: {
    type: 'topic',
    load: createKeeperLoader(
      'topics',
      ({ name, note, merged_into }) => (merged_into === null ? { title: name, texts: [note] } : undefined),
      loadAliases,
    ),
  },
  source: {
    type: 'source',
    load: createKeeperLoader('sources', ({ occurred_at, title, text }) => ({ at: occurred_at, title, texts: [text] })),
  },
  chat: { type: 'chat', load: loadChats },
  message: { type: 'chat', load: loadMessages },
  board: { type: 'board', load: loadBoards },
  frame: { type: 'board', load: loadFrames },
}
