import type * as z from 'zod/mini'
import { foldedTopic, type Topic, type topics } from '#contract/keepers/topics.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { makeEntry } from '../entries/make-entry.ts'
import { findEntryFor } from '../entries/require-entry.ts'
import { saveEntry } from '../entries/save-entry.ts'
import { requireKeeperToWriteIn } from '../keeper-access.ts'
import { aliasesOf, aliasWrites, namesOf, requireFreeNames, tellTakenName } from './free-names.ts'
import { pigmentOf } from './link-topics.ts'
import { type TopicRow, unmerged } from './require-topic.ts'
import { topicFields, topicView } from './topic-view.ts'

type NewTopic = z.output<NonNullable<typeof topics.create.body>>
type TopicChanges = z.output<NonNullable<typeof topics.update.body>>

/** @throws Problem 404; 409 for a name in use */
export async function createTopic(
  services: Services,
  person: Person,
  keeperId: string,
  body: NewTopic,
): Promise<Topic> {
  const keeper = await requireKeeperToWriteIn(services, person, keeperId, body.keeperId)
  const names = namesOf(body.name, body.aliases ?? [])
  const sentBefore = body.id !== undefined && (await findEntryFor(services, person, 'topic', body.id)) !== undefined
  if (!sentBefore) await requireFreeNames(services, keeper.id, names)
  const make = () =>
    makeEntry(services, keeper, {
      entity: 'topic',
      id: body.id,
      values: {
        name: names.name,
        name_folded: foldedTopic(names.name),
        color: body.color ?? pigmentOf(foldedTopic(names.name)),
        note: body.note ?? '',
        pinned: body.pinned ?? false,
        merged_into: null,
      },
      along: (id) => (names.aliases.length > 0 ? aliasWrites(services, keeper.id, id, names.aliases) : []),
    })
  const row = await tellTakenName(async () => {
    try {
      return await make()
    } catch (error) {
      // The id was free, so a concurrent request took the name.
      if (!sentBefore && error instanceof Problem) await requireFreeNames(services, keeper.id, names)
      throw error
    }
  })
  return topicView(services, row)
}

/** The old name becomes an alias. @throws Problem 404; 409 for a name in use, or `stale` */
export async function updateTopic(
  services: Services,
  person: Person,
  id: string,
  body: TopicChanges,
  ifMatch: number | null,
): Promise<Topic> {
  let present: TopicRow | undefined
  let before: string[] = []
  let after: string[] = []
  const row = await tellTakenName(() =>
    saveEntry(services, person, {
      entity: 'topic',
      id,
      ifMatch,
      async changes(found) {
        present = unmerged(found)
        before = await aliasesOf(services, found.id)
        const names = namesOf(body.name ?? found.name, body.aliases ?? before, found.name)
        after = names.aliases
        if (ifMatch === null || ifMatch === found.rev)
          await requireFreeNames(services, found.keeper_id, names, { id: found.id, names: [found.name, ...before] })
        return {
          ...(names.name !== found.name && { name: names.name, name_folded: foldedTopic(names.name) }),
          ...(body.color !== undefined && { color: body.color }),
          ...(body.note !== undefined && { note: body.note }),
          ...(body.pinned !== undefined && { pinned: body.pinned }),
        }
      },
      along: (found) =>
        before.toSorted().join('\n') === after.toSorted().join('\n')
          ? []
          : aliasWrites(services, found.keeper_id, found.id, after),
      // Only the loaded row has the previous aliases.
      view: (shown) => topicFields(shown, shown === present ? before : after),
    }),
  )
  return topicView(services, row)
}
