import type * as z from 'zod/mini'
import { defaultAgentId } from '#contract/keepers/keeper-fields.ts'
import type { Reflection, reflections } from '#contract/keepers/reflections.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { checkTopicTriggers, noTriggerNotices } from '../echoes/check-entry-triggers.ts'
import { createEntry } from '../entries/create-entry.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { findEntryFor, requireEntryFor } from '../entries/require-entry.ts'
import { saveEntry } from '../entries/save-entry.ts'
import { type KeeperRow, requireKeeperToWriteIn } from '../keeper-access.ts'
import { buildTopicLinkWrites, resolveTopics } from '../topics/link-topics.ts'
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
  const keeper = await requireKeeperToWriteIn(services, person, keeperId, body.keeperId)
  if (body.momentId) await requireMomentInKeeper(services, person, keeper, body.momentId)
  // Taken before the topics, which would otherwise change the id of a retry.
  const id = body.id ?? services.newId()
  const topics = await resolveTopics(services, keeper, body.topic ? [body.topic] : [])
  const now = services.now().getTime()
  const createdAt = body.createdAt === undefined ? now : Math.min(Date.parse(body.createdAt), now)
  const notices = await checkTopicTriggers(services, keeper.id, topics)
  const row = await createEntry(services, keeper, {
    entity: 'reflection',
    id,
    createdAt,
    values: {
      agent_id: body.agentId || defaultAgentId,
      topic: body.topic || null,
      content: body.content,
      ai_visible: body.aiVisible ?? true,
      rested_at: null,
      promoted_at: null,
      moment_id: body.momentId || null,
      source_kind: null,
      source_id: null,
    },
    extraWrites: () => [
      ...buildTopicLinkWrites(services, keeper, { entity: 'reflection', id, saidAt: createdAt }, topics),
      ...notices.writes,
    ],
  })
  notices.notify()
  return toReflectionWithCard(services, row)
}

/** @throws Problem 404; 409 when it is promoted; `stale` */
export async function updateReflection(
  services: Services,
  person: Person,
  { id, ifMatch, changes }: { id: string; ifMatch: number | null; changes: ReflectionChanges },
): Promise<Reflection> {
  const { content, topic, aiVisible } = changes
  let notices = noTriggerNotices
  const row = await saveEntry(services, person, {
    entity: 'reflection',
    id,
    ifMatch,
    changes(current) {
      if (current.promoted_at !== null) throw createPromotedProblem()
      return {
        ...(content !== undefined && { content }),
        ...(topic !== undefined && { topic: topic || null }),
        ...(aiVisible !== undefined && { ai_visible: aiVisible }),
      }
    },
    async extraWrites(current) {
      if (topic === undefined || (topic || null) === current.topic) return []
      const keeper = { id: current.keeper_id, owner_id: current.owner_id }
      const topics = await resolveTopics(services, keeper, topic ? [topic] : [])
      notices = await checkTopicTriggers(services, keeper.id, topics)
      return [
        ...buildTopicLinkWrites(services, keeper, { entity: 'reflection', id, saidAt: current.created_at }, topics),
        ...notices.writes,
      ]
    },
    view: (current) => toReflection(current),
  })
  notices.notify()
  return toReflection(row)
}

export function createPromotedProblem(): Problem {
  return new Problem('conflict', {
    message: 'This reflection has become a memory card and is locked. Edit the card, or write a new reflection.',
  })
}

async function requireMomentInKeeper(services: Services, person: Person, keeper: KeeperRow, id: string): Promise<void> {
  const moment = await findEntryFor(services, person, 'moment', id)
  if (moment?.keeper_id !== keeper.id)
    throw badField('momentId', 'This moment isn’t in this keeper. Choose another moment, or none.')
}

/** Keeps the revision, so that a concurrent edit stays valid. @throws Problem 404; 409 when it is promoted */
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
