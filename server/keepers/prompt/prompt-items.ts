import type { Entity } from '#contract/keepers/keeper-fields.ts'
import { getInstant, getLocalDay, getNextDay } from '#contract/keepers/local-time.ts'
import { formatPartName, getSourceTitle } from '#contract/keepers/sources.ts'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import type { MemoryLimits, PromptItem } from '#server/agents/keeper-memory.ts'
import type { Services } from '#server/services.ts'
import { findStateBefore } from '../entries/history-states.ts'
import { isActiveIn } from '../keeper-access.ts'
import { getSoleBefore } from '../sole/resolve-versions.ts'
import { getApprovedSole } from '../sole/sole-rows.ts'
import { type DocumentPart, selectQuotableDocuments, toExcerptId, toParts } from './quotable-documents.ts'
import type { ReadableKeeper } from './readable-keepers.ts'

// The only gate between keepers and models: every query requires this keeper, undeleted, not marked "not for AI", and
// approved if written by an AI. Only a PromptItem reaches a model, and only this file creates one.

type Keeper = Pick<ReadableKeeper, 'id' | 'title' | 'zone'> & { limits?: MemoryLimits }

interface PromptItemFields {
  keeper: Pick<Keeper, 'id'>
  entity: string
  id: string
  title: string
  text: string
  /** Relative to `/keeper/{id}/`. */
  path: string
}

function createPromptItem({ keeper, entity, id, title, text, path }: PromptItemFields): PromptItem {
  return { entity, id, title, text, keeperId: keeper.id, href: `/keeper/${keeper.id}/${path}` } as PromptItem
}

export function createPendingEntryItems(
  keeper: Pick<Keeper, 'id' | 'zone'>,
  entry: {
    entity: 'card' | 'reflection'
    id: string
    content: string
    topic: string | null
    writtenAt: number
    aiVisible: boolean
  },
): PromptItem[] {
  if (!entry.aiVisible) return []
  const { entity, id, content: text } = entry
  const path = entity === 'card' ? `memory-cards?card=${id}` : `reflection-journal?tab=all&reflection=${id}`
  const title = createCardTitle(keeper, entry.topic, entry.writtenAt)
  return [createPromptItem({ keeper, entity, id, title, text, path })]
}

/** A SOLE that is approved, or about to be. */
export function createSoleItem(
  keeper: Keeper,
  sole: { version: number; approvedAt: number; statements: readonly { text: string }[] },
): PromptItem {
  return createPromptItem({
    keeper,
    entity: 'sole',
    id: `${keeper.id}.${sole.version}`,
    title: `SOLE of ${keeper.title}, approved ${getLocalDay(keeper.zone, sole.approvedAt)}`,
    text: sole.statements.map(({ text }) => `- ${text}`).join('\n'),
    path: `memory?version=${sole.version}`,
  })
}

const createCardTitle = (keeper: Pick<Keeper, 'zone'>, topic: string | null, writtenAt: number) =>
  `Memory card${topic ? ` about ${topic}` : ''}, written ${getLocalDay(keeper.zone, writtenAt)}`

/** Returns none if the topics are limited, because a story is about everything. */
export async function loadSoleItems(services: Services, keeper: Keeper): Promise<PromptItem[]> {
  if (keeper.limits?.topics) return []
  const approved = keeper.limits?.asOf
    ? await getSoleBefore(services, keeper.id, getMemoryEnd(keeper))
    : await getApprovedSole(services, keeper.id)
  return approved && approved.statements.length > 0 ? [createSoleItem(keeper, approved)] : []
}

/** The first instant after the day that the limits name. */
export function getMemoryEnd({ zone, limits }: Pick<Keeper, 'zone' | 'limits'>): number {
  return limits?.asOf ? getInstant(zone, getNextDay(limits.asOf), '00:00') : Number.MAX_SAFE_INTEGER
}

/** Returns the row as it was at the end of that day; undefined if it didn't exist yet. */
async function readFormerRow<R extends { id: string; created_at: number; updated_at: number }>(
  services: Pick<Services, 'db'>,
  entity: Entity,
  {
    row,
    keeper,
    fromState,
  }: { row: R; keeper: Keeper; fromState(state: Record<string, unknown>): Partial<R> | undefined },
): Promise<R | undefined> {
  const state = await findStateBefore(services, entity, row, getMemoryEnd(keeper))
  if (state === 'current') return row
  // A text that was not for AI may contain passages that the person removed before allowing AI to read it.
  if (state === null || state.aiVisible === false) return undefined
  const formerColumns = fromState(state)
  return formerColumns && { ...row, ...formerColumns }
}

function createTopicFilter(topics: readonly string[] | null): (names: readonly unknown[]) => boolean {
  const allowedNames = topics && new Set(topics.map(normalizeTopicName))
  return (names) => allowedNames === null || names.some((name) => allowedNames.has(normalizeTopicName(String(name))))
}

/** Returns none if the topics are limited, because beliefs have no topics. */
export async function loadBeliefItems(services: Services, keeper: Keeper, limit: number): Promise<PromptItem[]> {
  if (keeper.limits?.topics) return []
  const end = getMemoryEnd(keeper)
  const rows = await services.db
    .selectFrom('voice_entries')
    .select(['id', 'label', 'belief', 'created_at', 'updated_at', 'still_true'])
    .where(isActiveIn(keeper.id))
    .where('ai_visible', '=', true)
    .where('created_at', '<', end)
    .orderBy(({ fn, val }) => fn.coalesce('strength', val(0)), 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  const items = await Promise.all(
    rows.map(async (currentRow) => {
      const fromState = ({ label, belief }: Record<string, unknown>) => ({
        label: String(label),
        belief: String(belief),
      })
      const row = await readFormerRow(services, 'voice', { row: currentRow, keeper, fromState })
      if (!row) return []
      const lastAnswer = row.still_true.findLast(({ at }) => Date.parse(at) < end)
      const changeNote =
        lastAnswer && !lastAnswer.answer
          ? `\n(On ${getLocalDay(keeper.zone, Date.parse(lastAnswer.at))} they said this is no longer true.)`
          : ''
      return createPromptItem({
        keeper,
        entity: 'belief',
        id: row.id,
        title: `Belief “${row.label}”, written ${getLocalDay(keeper.zone, row.created_at)}`,
        text: row.belief + changeNote,
        path: `voice-panel?entry=${row.id}`,
      })
    }),
  )
  return items.flat()
}

export async function loadCardItems(services: Services, keeper: Keeper, ids: readonly string[]): Promise<PromptItem[]> {
  if (ids.length === 0) return []
  const { topics = null } = keeper.limits ?? {}
  const isAllowed = createTopicFilter(topics)
  const rows = await services.db
    .selectFrom('memory_cards')
    .select(['id', 'content', 'topic', 'created_at', 'updated_at', 'reflection_created_at'])
    .where('keeper_id', '=', keeper.id)
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .where('ai_visible', '=', true)
    .where('state', '=', 'active')
    .execute()
  const rowById = new Map(rows.map((row) => [row.id, row]))
  const fromState = ({ content, topic, state }: Record<string, unknown>) =>
    state === 'draft' || !isAllowed([topic ?? ''])
      ? undefined
      : { content: String(content), topic: (topic ?? null) as string | null }
  const items = await Promise.all(
    ids.map(async (id) => {
      const currentRow = rowById.get(id)
      if (!currentRow || !isAllowed([currentRow.topic ?? ''])) return []
      const row = await readFormerRow(services, 'card', { row: currentRow, keeper, fromState })
      if (!row) return []
      return createPromptItem({
        keeper,
        entity: 'card',
        id,
        title: createCardTitle(keeper, row.topic, row.reflection_created_at ?? row.created_at),
        text: row.content,
        path: `memory-cards?card=${id}`,
      })
    }),
  )
  return items.flat()
}

/** Returns none if the topics are limited, because documents have no topics. @param choose the excerpts of a document */
export async function loadExcerptItems(
  services: Services,
  keeper: Keeper & Pick<ReadableKeeper, 'owner_id'>,
  ids: readonly string[],
  choose: (document: { id: string; title: string; parts: DocumentPart[] }) => DocumentPart[] | Promise<DocumentPart[]>,
): Promise<PromptItem[]> {
  if (keeper.limits?.topics) return []
  const items: PromptItem[] = []
  // One by one: a document can have megabytes.
  for (const id of ids) {
    const row = await selectQuotableDocuments(services, keeper.owner_id)
      .select(['sources.title', 'sources.messages', 'sources.source_kind'])
      .where('sources.keeper_id', '=', keeper.id)
      .where('sources.id', '=', id)
      .where('sources.created_at', '<', getMemoryEnd(keeper))
      .executeTakeFirst()
    if (!row) continue
    const title = getSourceTitle({ title: row.title, kind: 'document' })
    for (const part of await choose({ id, title, parts: toParts(row) }))
      items.push(
        createPromptItem({
          keeper,
          entity: 'document',
          id: toExcerptId(id, part.id),
          title: `Document “${title}”, ${formatPartName(part, part.position)}`,
          text: part.text,
          path: `sources?source=${id}&message=${encodeURIComponent(part.id)}`,
        }),
      )
  }
  return items
}

interface MomentFilter {
  from?: string | undefined
  to?: string | undefined
  /** As 11-30. */
  monthAndDay?: string
  ids?: readonly string[]
  limit: number
}

export async function loadMomentItems(
  services: Services,
  keeper: Keeper,
  { from, to, limit, ids, monthAndDay }: MomentFilter,
): Promise<PromptItem[]> {
  const { topics = null, withoutMoods = false } = keeper.limits ?? {}
  if (ids?.length === 0 || topics?.length === 0) return []
  let query = services.db
    .selectFrom('moments')
    .select(['id', 'title', 'body', 'local_date', 'mood_score', 'mood_label', 'created_at', 'updated_at'])
    .where(isActiveIn(keeper.id))
    .where('ai_visible', '=', true)
    .where('created_at', '<', getMemoryEnd(keeper))
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (from !== undefined) query = query.where('local_date', '>=', from)
  if (to !== undefined) query = query.where('local_date', '<=', to)
  if (ids !== undefined) query = query.where('id', 'in', [...ids])
  if (monthAndDay !== undefined) query = query.where('local_date', 'like', `____-${monthAndDay}`)
  if (topics !== null)
    query = query.where(({ exists, selectFrom, ref }) =>
      exists(
        selectFrom('entry_topics')
          .innerJoin('topics', 'topics.id', 'entry_topics.topic_id')
          .select('topics.id')
          .where('entry_topics.entity', '=', 'moment')
          .where('entry_topics.entity_id', '=', ref('moments.id'))
          .where('topics.deleted_at', 'is', null)
          .where('topics.name_folded', 'in', topics.map(normalizeTopicName)),
      ),
    )
  const isAllowed = createTopicFilter(topics)
  const fromState = ({ title, body, mood, localDate, topics: formerTopics }: Record<string, unknown>) => {
    if (!isAllowed(((formerTopics ?? []) as { name: string }[]).map(({ name }) => name))) return undefined
    const { score = null, label = null } = (mood ?? {}) as { score?: number | null; label?: string | null }
    return {
      title: (title ?? null) as string | null,
      body: String(body),
      local_date: String(localDate),
      mood_score: score,
      mood_label: label,
    }
  }
  const items = await Promise.all(
    (await query.execute()).map(async (currentRow) => {
      const row = await readFormerRow(services, 'moment', { row: currentRow, keeper, fromState })
      if (!row) return []
      const mood = withoutMoods ? null : (row.mood_label ?? row.mood_score)
      return createPromptItem({
        keeper,
        entity: 'moment',
        id: row.id,
        title: `Moment${row.title ? ` “${row.title}”` : ''} of ${row.local_date}${mood === null ? '' : `, mood ${mood}`}`,
        text: row.body,
        path: `moments?moment=${row.id}`,
      })
    }),
  )
  return items.flat()
}
