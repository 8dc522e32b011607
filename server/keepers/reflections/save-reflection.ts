import type * as z from 'zod/mini'
import { defaultAgentId } from '#contract/keepers/keeper-words.ts'
import type { Reflection, reflections } from '#contract/keepers/reflections.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { noNotices, noticeTopics } from '../echoes/notice.ts'
import { makeEntry } from '../entries/make-entry.ts'
import { findEntryFor } from '../entries/require-entry.ts'
import { saveEntry } from '../entries/save-entry.ts'
import { type KeeperRow, requireKeeperToWriteIn } from '../keeper-access.ts'
import { topicLinks, topicsMeant } from '../topics/link-topics.ts'
import { reflectionView, reflectionWithCard } from './reflection-view.ts'

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
  if (body.momentId) await requireMomentOf(services, person, keeper, body.momentId)
  // Taken before the topics, which would otherwise change the id of a retry.
  const id = body.id ?? services.newId()
  const topics = await topicsMeant(services, keeper, body.topic ? [body.topic] : [])
  const now = services.now().getTime()
  const createdAt = body.createdAt === undefined ? now : Math.min(Date.parse(body.createdAt), now)
  const notices = await noticeTopics(services, keeper.id, topics)
  const row = await makeEntry(services, keeper, {
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
    along: () => [
      ...topicLinks(services, keeper, { entity: 'reflection', id, saidAt: createdAt }, topics),
      ...notices.writes,
    ],
  })
  notices.tell()
  return reflectionWithCard(services, row)
}

/** @throws Problem 404; 409 when it is promoted; `stale` */
export async function updateReflection(
  services: Services,
  person: Person,
  { id, ifMatch, changes }: { id: string; ifMatch: number | null; changes: ReflectionChanges },
): Promise<Reflection> {
  const { content, topic, aiVisible } = changes
  let notices = noNotices
  const row = await saveEntry(services, person, {
    entity: 'reflection',
    id,
    ifMatch,
    changes(present) {
      if (present.promoted_at !== null) throw promoted()
      return {
        ...(content !== undefined && { content }),
        ...(topic !== undefined && { topic: topic || null }),
        ...(aiVisible !== undefined && { ai_visible: aiVisible }),
      }
    },
    async along(present) {
      if (topic === undefined || (topic || null) === present.topic) return []
      const keeper = { id: present.keeper_id, owner_id: present.owner_id }
      const topics = await topicsMeant(services, keeper, topic ? [topic] : [])
      notices = await noticeTopics(services, keeper.id, topics)
      return [
        ...topicLinks(services, keeper, { entity: 'reflection', id, saidAt: present.created_at }, topics),
        ...notices.writes,
      ]
    },
    view: (present) => reflectionView(present),
  })
  notices.tell()
  return reflectionView(row)
}

export function promoted(): Problem {
  return new Problem('conflict', {
    message: 'This reflection has become a memory card and is locked. Edit the card, or write a new reflection.',
  })
}

async function requireMomentOf(services: Services, person: Person, keeper: KeeperRow, id: string): Promise<void> {
  const moment = await findEntryFor(services, person, 'moment', id)
  if (moment?.keeper_id !== keeper.id)
    throw badField('momentId', "This moment isn't in this keeper. Leave it out, or choose one that is.")
}
