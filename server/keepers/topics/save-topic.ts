import type * as z from 'zod/mini'
import { normalizeTopicName, type Topic, type topics } from '#contract/keepers/topics.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { createEntry } from '../entries/create-entry.ts'
import { findEntryFor } from '../entries/require-entry.ts'
import { saveEntry } from '../entries/save-entry.ts'
import { requireKeeperToWriteIn } from '../keeper-access.ts'
import { getPigment } from './link-topics.ts'
import { requireUnmerged, type TopicRow } from './require-topic.ts'
import { createAliasWrites, loadAliases, mapNameConflict, requireAvailableNames, toTopicNames } from './topic-names.ts'
import { toTopicFields, toTopicView } from './topic-view.ts'

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
  const names = toTopicNames(body.name, body.aliases ?? [])
  const isRetry = body.id !== undefined && (await findEntryFor(services, person, 'topic', body.id)) !== undefined
  if (!isRetry) await requireAvailableNames(services, keeper.id, names)
  const create = () =>
    createEntry(services, keeper, {
      entity: 'topic',
      id: body.id,
      values: {
        name: names.name,
        name_folded: normalizeTopicName(names.name),
        color: body.color ?? getPigment(normalizeTopicName(names.name)),
        note: body.note ?? '',
        pinned: body.pinned ?? false,
        merged_into: null,
      },
      extraWrites: (id) => (names.aliases.length > 0 ? createAliasWrites(services, keeper.id, id, names.aliases) : []),
    })
  const row = await mapNameConflict(async () => {
    try {
      return await create()
    } catch (error) {
      // The id was free, so a concurrent request took the name.
      if (!isRetry && error instanceof Problem) await requireAvailableNames(services, keeper.id, names)
      throw error
    }
  })
  return toTopicView(services, row)
}

/** The old name becomes an alias. @throws Problem 404; 409 for a name in use, or `stale` */
export async function updateTopic(
  services: Services,
  person: Person,
  id: string,
  body: TopicChanges,
  ifMatch: number | null,
): Promise<Topic> {
  let loadedRow: TopicRow | undefined
  let previousAliases: string[] = []
  let updatedAliases: string[] = []
  const row = await mapNameConflict(() =>
    saveEntry(services, person, {
      entity: 'topic',
      id,
      ifMatch,
      async changes(topicRow) {
        loadedRow = requireUnmerged(topicRow)
        previousAliases = await loadAliases(services, topicRow.id)
        const names = toTopicNames(body.name ?? topicRow.name, body.aliases ?? previousAliases, topicRow.name)
        updatedAliases = names.aliases
        if (ifMatch === null || ifMatch === topicRow.rev)
          await requireAvailableNames(services, topicRow.keeper_id, names, {
            id: topicRow.id,
            names: [topicRow.name, ...previousAliases],
          })
        return {
          ...(names.name !== topicRow.name && { name: names.name, name_folded: normalizeTopicName(names.name) }),
          ...(body.color !== undefined && { color: body.color }),
          ...(body.note !== undefined && { note: body.note }),
          ...(body.pinned !== undefined && { pinned: body.pinned }),
        }
      },
      extraWrites: (topicRow) =>
        previousAliases.toSorted().join('\n') === updatedAliases.toSorted().join('\n')
          ? []
          : createAliasWrites(services, topicRow.keeper_id, topicRow.id, updatedAliases),
      // Only the loaded row has the previous aliases.
      view: (viewedRow) => toTopicFields(viewedRow, viewedRow === loadedRow ? previousAliases : updatedAliases),
    }),
  )
  return toTopicView(services, row)
}
