import { isoTime } from '#server/iso-time.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { archivedEntities, archiveKeys } from './archive-columns.ts'
import { archiveFormat, archiveVersion, ContentHash } from './archive-format.ts'
import type { Origins } from './origins.ts'
import { archivedEntries, archivedMergedTopics, archivedTopics, archivedVersions } from './read-for-archive.ts'
import { archivedRuns } from './unfinished-runs.ts'

export interface KeeperToArchive {
  keeper: KeeperRow
  origins: Origins
}

/** Fields that each importing server decides again. */
const decidedOf = { card: ['state'], sole: ['status', 'reason', 'decidedAt'] }

/** Streams `keeper.json`, which may not fit into memory. */
export async function* archiveJson(services: Services, keepers: readonly KeeperToArchive[]): AsyncGenerator<string> {
  const head = { format: archiveFormat, version: archiveVersion, exportedAt: isoTime(services.now().getTime()) }
  yield `${JSON.stringify(head).slice(0, -1)},"keepers":[`
  let first = true
  for (const keeper of keepers) {
    yield first ? '\n' : ',\n'
    first = false
    yield* keeperJson(services, keeper)
  }
  yield '\n]}\n'
}

async function* keeperJson(services: Services, { keeper, origins }: KeeperToArchive): AsyncGenerator<string> {
  const hash = new ContentHash()
  const { title, purpose, theme } = keeper
  const own = { title, purpose, theme, keeperType: keeper.keeper_type, memoryPattern: keeper.memory_pattern }
  hash.add(own)
  const dates = { createdAt: isoTime(keeper.created_at), updatedAt: isoTime(keeper.updated_at) }
  yield JSON.stringify({ id: keeper.id, ...own, isPublic: keeper.is_public, ...dates }).slice(0, -1)

  yield `,\n"topics":[`
  let comma = ''
  for await (const topics of archivedTopics(services, keeper)) {
    for (const topic of topics) hash.add(topic)
    yield comma + JSON.stringify(topics).slice(1, -1)
    comma = ','
  }
  yield ']'
  const mergedTopics = await archivedMergedTopics(services, keeper)
  for (const topic of mergedTopics) hash.add(topic)
  yield `,\n"mergedTopics":${JSON.stringify(mergedTopics)}`
  for (const entity of archivedEntities) {
    yield `,\n"${archiveKeys[entity]}":[`
    let between = '\n'
    for await (const entry of archivedEntries(services, keeper, entity, origins)) {
      hash.add(entry, entity === 'card' ? decidedOf.card : [])
      yield between + JSON.stringify(entry)
      between = ',\n'
    }
    yield ']'
  }
  const versions = await archivedVersions(services, keeper, origins)
  for (const version of versions) hash.add(version, decidedOf.sole)
  yield `,\n"sole":${JSON.stringify(versions)}`
  const unfinished = await archivedRuns(services, keeper)
  for (const run of unfinished) hash.add(run)
  yield `,\n"unfinished":${JSON.stringify(unfinished)},\n"contentHash":"${hash.end()}"}`
}
