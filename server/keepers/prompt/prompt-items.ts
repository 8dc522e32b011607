import { getLocalDay } from '#contract/keepers/local-time.ts'
import { formatPartName, getSourceTitle } from '#contract/keepers/sources.ts'
import type { PromptItem } from '#server/agents/keeper-memory.ts'
import type { Services } from '#server/services.ts'
import { isActiveIn } from '../keeper-access.ts'
import { getApprovedSole } from '../sole/sole-rows.ts'
import { type DocumentPart, selectQuotable, toExcerptId, toParts } from './quotable-documents.ts'
import type { ReadableKeeper } from './readable-keepers.ts'

// The only gate between keepers and models: every query requires this keeper, undeleted, not marked "not for AI", and
// approved if written by an AI. Only a PromptItem reaches a model, and only this file creates one.

type Keeper = Pick<ReadableKeeper, 'id' | 'title' | 'zone'>

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
    at: number
    aiVisible: boolean
  },
): PromptItem[] {
  if (!entry.aiVisible) return []
  const { entity, id, content: text } = entry
  const path = entity === 'card' ? `memory-cards?card=${id}` : `reflection-journal?tab=all&reflection=${id}`
  return [createPromptItem({ keeper, entity, id, title: createCardTitle(keeper, entry.topic, entry.at), text, path })]
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

const createCardTitle = (keeper: Pick<Keeper, 'zone'>, topic: string | null, at: number) =>
  `Memory card${topic ? ` about ${topic}` : ''}, written ${getLocalDay(keeper.zone, at)}`

export async function loadSoleItem(services: Services, keeper: Keeper): Promise<PromptItem[]> {
  const approved = await getApprovedSole(services, keeper.id)
  return approved && approved.statements.length > 0 ? [createSoleItem(keeper, approved)] : []
}

export async function loadBeliefItems({ db }: Services, keeper: Keeper, limit: number): Promise<PromptItem[]> {
  const rows = await db
    .selectFrom('voice_entries')
    .select(['id', 'label', 'belief', 'created_at', 'still_true'])
    .where(isActiveIn(keeper.id))
    .where('ai_visible', '=', true)
    .orderBy(({ fn, val }) => fn.coalesce('strength', val(0)), 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => {
    const lastAnswer = row.still_true.at(-1)
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
  })
}

export async function loadCardItems({ db }: Services, keeper: Keeper, ids: readonly string[]): Promise<PromptItem[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('memory_cards')
    .select(['id', 'content', 'topic', 'created_at', 'reflection_created_at'])
    .where('keeper_id', '=', keeper.id)
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .where('ai_visible', '=', true)
    .where('state', '=', 'active')
    .execute()
  const rowById = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = rowById.get(id)
    if (!row) return []
    return createPromptItem({
      keeper,
      entity: 'card',
      id,
      title: createCardTitle(keeper, row.topic, row.reflection_created_at ?? row.created_at),
      text: row.content,
      path: `memory-cards?card=${id}`,
    })
  })
}

/** @param choose ids and texts of the excerpts of a document */
export async function loadExcerptItems(
  services: Services,
  keeper: Keeper & Pick<ReadableKeeper, 'owner_id'>,
  ids: readonly string[],
  choose: (document: { id: string; title: string; parts: DocumentPart[] }) => DocumentPart[] | Promise<DocumentPart[]>,
): Promise<PromptItem[]> {
  const items: PromptItem[] = []
  // One by one: a document can have megabytes.
  for (const id of ids) {
    const row = await selectQuotable(services, keeper.owner_id)
      .select(['sources.title', 'sources.messages', 'sources.source_kind'])
      .where('sources.keeper_id', '=', keeper.id)
      .where('sources.id', '=', id)
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

export async function loadMomentItems(
  { db }: Services,
  keeper: Keeper,
  { from, to, limit }: { from?: string | undefined; to?: string | undefined; limit: number },
): Promise<PromptItem[]> {
  let query = db
    .selectFrom('moments')
    .select(['id', 'title', 'body', 'local_date', 'mood_score', 'mood_label'])
    .where(isActiveIn(keeper.id))
    .where('ai_visible', '=', true)
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (from !== undefined) query = query.where('local_date', '>=', from)
  if (to !== undefined) query = query.where('local_date', '<=', to)
  const rows = await query.execute()
  return rows.map((row) => {
    const mood = row.mood_label ?? row.mood_score
    return createPromptItem({
      keeper,
      entity: 'moment',
      id: row.id,
      title: `Moment${row.title ? ` “${row.title}”` : ''} of ${row.local_date}${mood === null ? '' : `, mood ${mood}`}`,
      text: row.body,
      path: `moments?moment=${row.id}`,
    })
  })
}
