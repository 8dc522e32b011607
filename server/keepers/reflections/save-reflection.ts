import type * as z from 'zod/mini'
import { defaultAgentId } from '#contract/keepers/keeper-fields.ts'
import type { Reflection, reflections } from '#contract/keepers/reflections.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { buildTopicEffects } from '../echoes/check-entry-triggers.ts'
import { createEntry, noSource } from '../entries/create-entry.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { requireEntryFor, requireEntryInKeeper } from '../entries/require-entry.ts'
import { noSideEffects, saveEntry } from '../entries/save-entry.ts'
import { quoteMarkdown } from '../journeys/story.ts'
import { requireMatchingKeeper } from '../keeper-access.ts'
import { type MomentRow, toMoment } from '../moments/moment-view.ts'
import { resolveTopics } from '../topics/link-topics.ts'
import { toReflection, toReflectionWithCard } from './list-reflections.ts'

type NewReflection = z.output<NonNullable<typeof reflections.create.body>>
type ReflectionChanges = z.output<NonNullable<typeof reflections.update.body>>

/** @throws Problem 404; 400 for another keeper in the body, or a moment of another keeper */
export async function createReflection(
  services: Services,
  person: Person,
  keeperId: string,
  body: NewReflection,
): Promise<Reflection> {
  const keeper = await requireMatchingKeeper(services, person, keeperId, body.keeperId)
  const message = 'Choose a moment in this keeper, or none.'
  await requireEntryInKeeper(services, keeper, 'moment', body.momentId, 'momentId', message)
  const row = await createEntry(services, keeper, {
    entity: 'reflection',
    id: body.id,
    createdAt: body.createdAt,
    values: {
      ...noSource,
      agent_id: body.agentId || defaultAgentId,
      topic: body.topic || null,
      content: body.content,
      ai_visible: body.aiVisible ?? true,
      rested_at: null,
      promoted_at: null,
      moment_id: body.momentId || null,
    },
    sideEffects: async (entry) =>
      buildTopicEffects(services, 'reflection', entry, {
        topics: await resolveTopics(services, keeper, [body.topic ?? '']),
      }),
  })
  return toReflectionWithCard(services, row)
}

/** @throws Problem 404; 409 for a promoted reflection; `stale` */
export async function updateReflection(
  services: Services,
  person: Person,
  { id, ifMatch, changes }: { id: string; ifMatch: number | null; changes: ReflectionChanges },
): Promise<Reflection> {
  const { content, topic, aiVisible } = changes
  const row = await saveEntry(services, person, {
    entity: 'reflection',
    id,
    ifMatch,
    getChanges(current) {
      if (current.promoted_at !== null) throw createPromotedProblem()
      return { content, topic: topic === undefined ? undefined : topic || null, ai_visible: aiVisible }
    },
    async sideEffects(current) {
      if (topic === undefined || (topic || null) === current.topic) return noSideEffects
      const topics = await resolveTopics(services, { id: current.keeper_id }, [topic ?? ''])
      return buildTopicEffects(services, 'reflection', current, { topics })
    },
    toView: (current) => toReflection(current),
  })
  return toReflection(row)
}

export function createPromotedProblem(): Problem {
  return new Problem('conflict', {
    message: 'This reflection has become a memory card and is locked. Edit the card, or write a new reflection.',
  })
}

/** Keeps the revision, so that a concurrent edit stays valid. @throws Problem 404; 409 for a promoted reflection */
export async function setResting(
  services: Services,
  person: Person,
  id: string,
  isResting: boolean,
): Promise<Reflection> {
  const row = await requireEntryFor(services, person, 'reflection', id)
  if (row.promoted_at !== null) throw createPromotedProblem()
  await services.db
    .updateTable('reflections')
    .set({ rested_at: isResting ? (row.rested_at ?? services.now().getTime()) : null })
    .where('id', '=', row.id)
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .execute()
  publishKeeperChanged(services, row.owner_id, row.keeper_id, 'reflection')
  return toReflectionWithCard(services, await requireEntryFor(services, person, 'reflection', id))
}

/** Creates a reflection that quotes the moment and keeps its AI visibility. @throws Problem 404 */
export async function reflectOnMoment(services: Services, person: Person, id: string): Promise<Reflection> {
  const row = await requireEntryFor(services, person, 'moment', id)
  const { topics } = await toMoment(services, row)
  services.usage.add(row.owner_id, row.body.length)
  return createReflection(services, person, row.keeper_id, {
    content: `${quoteMarkdown(toQuotedText(row).trimEnd())}\n\n`,
    topic: topics[0]?.name ?? null,
    aiVisible: row.ai_visible,
    momentId: row.id,
  })
}

function toQuotedText({ title, body, local_date, place }: MomentRow): string {
  const quotedText = [title && `**${title}**`, body.trim() && body].filter(Boolean).join('\n\n')
  return quotedText || [local_date, place?.name].filter(Boolean).join(', ')
}
