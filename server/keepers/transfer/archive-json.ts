import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { archivedEntities, archiveKeys } from './archive-columns.ts'
import { archiveFormatName, archiveVersion, ContentHash } from './archive-format.ts'
import type { Origins } from './origins.ts'
import { loadMergedTopics, loadVersions, streamEntries, streamTopics } from './read-for-archive.ts'
import { loadArchivedRuns } from './unfinished-runs.ts'

export interface KeeperToArchive {
  keeper: KeeperRow
  origins: Origins
}

const decisionFields = { card: ['state'], sole: ['status', 'reason', 'decidedAt'] }

/** Streams `keeper.json`, which may not fit into memory. */
export async function* streamArchiveJson(
  services: Services,
  keepers: readonly KeeperToArchive[],
): AsyncGenerator<string> {
  const header = { format: archiveFormatName, version: archiveVersion, exportedAt: toIsoTime(services.now().getTime()) }
  yield `${JSON.stringify(header).slice(0, -1)},"keepers":[`
  let isFirst = true
  for (const keeper of keepers) {
    yield isFirst ? '\n' : ',\n'
    isFirst = false
    yield* streamKeeperJson(services, keeper)
  }
  yield '\n]}\n'
}

async function* streamKeeperJson(services: Services, { keeper, origins }: KeeperToArchive): AsyncGenerator<string> {
  const hash = new ContentHash()
  const { title, purpose, theme } = keeper
  const details = { title, purpose, theme, keeperType: keeper.keeper_type, memoryPattern: keeper.memory_pattern }
  hash.add(details)
  const timestamps = { createdAt: toIsoTime(keeper.created_at), updatedAt: toIsoTime(keeper.updated_at) }
  yield JSON.stringify({ id: keeper.id, ...details, isPublic: keeper.is_public, ...timestamps }).slice(0, -1)

  yield `,\n"topics":[`
  let separator = ''
  for await (const topics of streamTopics(services, keeper)) {
    for (const topic of topics) hash.add(topic)
    yield separator + JSON.stringify(topics).slice(1, -1)
    separator = ','
  }
  yield ']'
  const mergedTopics = await loadMergedTopics(services, keeper)
  for (const topic of mergedTopics) hash.add(topic)
  yield `,\n"mergedTopics":${JSON.stringify(mergedTopics)}`
  for (const entity of archivedEntities) {
    yield `,\n"${archiveKeys[entity]}":[`
    let separator = '\n'
    for await (const entry of streamEntries(services, keeper, entity, origins)) {
      hash.add(entry, entity === 'card' ? decisionFields.card : [])
      yield separator + JSON.stringify(entry)
      separator = ',\n'
    }
    yield ']'
  }
  const versions = await loadVersions(services, keeper, origins)
  for (const version of versions) hash.add(version, decisionFields.sole)
  yield `,\n"sole":${JSON.stringify(versions)}`
  const unfinished = await loadArchivedRuns(services, keeper)
  for (const run of unfinished) hash.add(run)
  yield `,\n"unfinished":${JSON.stringify(unfinished)},\n"contentHash":"${hash.end()}"}`
}
