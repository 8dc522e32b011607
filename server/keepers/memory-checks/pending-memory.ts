import { createHash } from 'node:crypto'
import type * as z from 'zod/mini'
import type { memoryChecks } from '#contract/keepers/memory-checks.ts'
import { applyApproval } from '#contract/keepers/sole-statements.ts'
import type { Person } from '#server/accounts/person.ts'
import type { PromptItem } from '#server/agents/keeper-memory.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { EntryRow } from '../entries/entry-tables.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { getPersonTimezone } from '../person-timezone.ts'
import { createPendingEntryItems, createSoleItem } from '../prompt/prompt-items.ts'
import { requireReviewable } from '../sole/sole-access.ts'
import { findVersion } from '../sole/sole-rows.ts'

/** A memory that awaits approval, as agents would read it. Functions return `null` if they wouldn't read it. */
export interface PendingMemory {
  keeperId: string
  items: readonly PromptItem[]
  /** Hash of the text. Answers given with another text don't count. */
  hash: string
}

type CheckRequest = z.output<typeof memoryChecks.start.body & {}>

/** @throws Problem 404 for an entry of another keeper, or one this person cannot approve */
export async function requirePendingMemory(
  services: Services,
  person: Person,
  keeperId: string,
  { entity, entityId, statementIds }: CheckRequest,
): Promise<PendingMemory | null> {
  if (entity === 'sole')
    return findPendingSole(services, person, await requireReviewable(services, person, keeperId), statementIds)
  if (entityId === undefined) throw badField('entityId', 'Send the ID of the card or reflection.')
  const memory =
    entity === 'card'
      ? await toPendingCard(services, person, await requireEntryFor(services, person, 'card', entityId))
      : await toPendingReflection(services, person, await requireEntryFor(services, person, 'reflection', entityId))
  if (memory && memory.keeperId !== keeperId) throw new Problem('not-found', { message: 'Keeper not found' })
  return memory
}

type CardFields = Pick<
  EntryRow<'card'>,
  'id' | 'keeper_id' | 'content' | 'topic' | 'created_at' | 'reflection_created_at' | 'ai_visible' | 'state'
>

export async function toPendingCard(
  services: Services,
  person: Person,
  row: CardFields,
): Promise<PendingMemory | null> {
  if (row.state !== 'draft') return null
  const { id, content, topic, ai_visible: aiVisible } = row
  const writtenAt = row.reflection_created_at ?? row.created_at
  return toPendingEntry(services, person, row.keeper_id, { entity: 'card', id, content, topic, writtenAt, aiVisible })
}

export async function toPendingReflection(
  services: Services,
  person: Person,
  row: Pick<
    EntryRow<'reflection'>,
    'id' | 'keeper_id' | 'content' | 'topic' | 'created_at' | 'ai_visible' | 'promoted_at'
  >,
): Promise<PendingMemory | null> {
  if (row.promoted_at !== null) return null
  const { id, content, topic, created_at: writtenAt, ai_visible: aiVisible } = row
  return toPendingEntry(services, person, row.keeper_id, {
    entity: 'reflection',
    id,
    content,
    topic,
    writtenAt,
    aiVisible,
  })
}

async function toPendingEntry(
  services: Services,
  person: Person,
  keeperId: string,
  entry: Parameters<typeof createPendingEntryItems>[1],
): Promise<PendingMemory | null> {
  const keeper = { id: keeperId, zone: await getPersonTimezone(services, person.id) }
  return toPendingMemory(keeperId, createPendingEntryItems(keeper, entry))
}

/** The SOLE as it would be after approval. `null` for a reviewer, whose agents can't read the keeper. */
export async function toPendingSole(
  services: Services,
  person: Pick<Person, 'id'>,
  keeper: KeeperRow,
  sole: Parameters<typeof createSoleItem>[1],
): Promise<PendingMemory | null> {
  if (keeper.owner_id !== person.id) return null
  const zone = await getPersonTimezone(services, person.id)
  return toPendingMemory(keeper.id, [createSoleItem({ ...keeper, zone }, sole)])
}

async function findPendingSole(
  services: Services,
  person: Pick<Person, 'id'>,
  keeper: KeeperRow,
  statementIds: readonly string[] | undefined,
): Promise<PendingMemory | null> {
  const draft = await findVersion(services, keeper.id, 'draft')
  if (!draft) return null
  const active = await findVersion(services, keeper.id, 'active')
  const chosenIds = statementIds && new Set(statementIds)
  const statements = applyApproval(draft.statements, active?.statements ?? [], chosenIds)
  const approvedAt = services.now().getTime()
  return toPendingSole(services, person, keeper, { version: draft.version, approvedAt, statements })
}

function toPendingMemory(keeperId: string, items: readonly PromptItem[]): PendingMemory | null {
  if (items.length === 0) return null
  const hashedText = JSON.stringify([keeperId, items.map(({ entity, id, text }) => [entity, id, text])])
  return { keeperId, items, hash: createHash('sha256').update(hashedText).digest('base64url') }
}
