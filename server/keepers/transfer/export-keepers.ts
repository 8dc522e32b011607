import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { toSlug } from '#contract/agents/agent-slug.ts'
import type { Person } from '#server/accounts/person.ts'
import { apiHeaders } from '#server/http/security-headers.ts'
import { streamChunks } from '#server/http/stream-file.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { entryTables } from '../entries/entry-tables.ts'
import { type KeeperRow, requireKeeperFor, selectOwnKeepers } from '../keeper-access.ts'
import { type MediaEntry, mediaEntities } from '../media/attach-media.ts'
import { archivedEntities, archiveKeys } from './archive-columns.ts'
import { archiveFormatName, archiveVersion, ContentHash, getMediaPath } from './archive-format.ts'
import { renderSoleMarkdown, streamMarkdown } from './archive-markdown.ts'
import {
  loadMergedTopics,
  loadOrigins,
  loadVersions,
  type Origins,
  streamEntries,
  streamTopics,
} from './read-for-archive.ts'
import { listUnfinishedFiles, loadArchivedRuns, renderUnfinishedMarkdown } from './unfinished-runs.ts'

interface KeeperToArchive {
  keeper: KeeperRow
  origins: Origins
}

const decisionFields = { card: ['state'], sole: ['status', 'reason', 'decidedAt'] }

/** Streams `keeper.json`, which may not fit into memory. */
async function* streamArchiveJson(services: Services, keepers: readonly KeeperToArchive[]): AsyncGenerator<string> {
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

const readmeText = `This is an archive made by Keeper.

keeper.json   everything, for importing it again later
<keeper>/     the same as Markdown, readable anywhere
media/        pictures and recordings, each named by its SHA-256

Not included: deleted entries, earlier versions, chats, agents, passwords and keys. The texts of sealed echoes are
base64-encoded in keeper.json, so that they are kept but can’t be read at a glance.
`

/** One keeper as a zip. @throws Problem 404 */
export async function exportKeeper(services: Services, person: Person, id: string): Promise<Response> {
  const keeper = await requireKeeperFor(services, person, id)
  return createZip(services, [keeper], `${getFolderName(keeper)}.zip`)
}

export async function exportAll(services: Services, person: Person): Promise<Response> {
  const keepers = await listKeepersToExport(services, person)
  return createZip(services, keepers, `keepers-${services.now().toISOString().slice(0, 10)}.zip`)
}

export function listKeepersToExport({ db }: Services, person: Pick<Person, 'id'>): Promise<KeeperRow[]> {
  return selectOwnKeepers(db, person.id).orderBy('created_at').orderBy('id').execute()
}

const getFolderName = (keeper: KeeperRow) => toSlug(keeper.title) || 'keeper'

function createZip(services: Services, keepers: KeeperRow[], fileName: string): Promise<Response> {
  return streamZip(services, fileName, async (zip) => {
    zip.addBuffer(Buffer.from(readmeText), 'README.txt')
    await addKeepers(services, zip, keepers)
  })
}

export function addLazyText(zip: ZipFile, path: string, chunks: () => AsyncIterable<string>): void {
  addStream(zip, path, () => Readable.from(chunks(), { objectMode: true }))
}

const openSources = new WeakMap<ZipFile, Readable>()

export function addLazyFile(zip: ZipFile, path: string, chunks: () => AsyncIterable<Buffer>): void {
  addStream(zip, path, () => Readable.from(chunks(), { objectMode: false }), { compress: false })
}

function addStream(zip: ZipFile, path: string, openStream: () => Readable, options: { compress?: boolean } = {}): void {
  zip.addReadStreamLazy(path, options, (done) => {
    const stream = openStream()
    // The zip ignores errors of its sources.
    stream.on('error', (error) => zip.emit('error', error))
    openSources.set(zip, stream)
    done(null, stream)
  })
}

export async function addKeepers(
  services: Services,
  zip: ZipFile,
  keepers: KeeperRow[],
  usedNames = new Set<string>(),
): Promise<void> {
  const archives: KeeperToArchive[] = []
  for (const keeper of keepers) archives.push({ keeper, origins: await loadOrigins(services, keeper) })
  addLazyText(zip, 'keeper.json', () => streamArchiveJson(services, archives))
  for (const { keeper, origins } of archives) {
    const folder = reserveName(getFolderName(keeper), usedNames)
    for (const entity of archivedEntities)
      addLazyText(zip, `${folder}/${archiveKeys[entity]}.md`, () => streamMarkdown(services, keeper, entity, origins))
    addLazyText(zip, `${folder}/sole.md`, async function* () {
      yield await renderSoleMarkdown(services, keeper, origins)
    })
    addLazyText(zip, `${folder}/unfinished.md`, async function* () {
      yield await renderUnfinishedMarkdown(services, keeper)
    })
  }
  for (const file of await listMedia(services, keepers)) {
    const { media } = services
    const size = await media.getSize(file.sha256)
    // Missing bytes must not fail the export; the import reports them.
    if (size !== undefined) addLazyFile(zip, getMediaPath(file), () => media.read(file.sha256, 0, size))
  }
}

export async function streamZip(
  { log }: Services,
  fileName: string,
  fill: (zip: ZipFile) => Promise<void>,
  mime = 'application/zip',
): Promise<Response> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  // Adding an entry starts reading it: without this listener, an early error would end the process.
  zip.on('error', (error) => {
    log.error({ err: error }, 'an export was interrupted')
    output.destroy(error as Error)
  })
  output.once('close', () => openSources.get(zip)?.destroy())
  // The reader gets the error with its next chunk.
  output.on('error', () => undefined)
  try {
    await fill(zip)
    if (output.errored) throw output.errored
  } catch (error) {
    output.destroy()
    throw error
  }
  zip.end()
  // Readable.toWeb() enqueues after a cancel and throws uncaught, which would end the process.
  return new Response(
    streamChunks(output[Symbol.asyncIterator](), () => output.destroy()),
    {
      headers: {
        ...apiHeaders,
        'content-type': mime,
        'content-disposition': `attachment; filename="${fileName}"`,
      },
    },
  )
}

export function reserveName(name: string, usedNames: Set<string>): string {
  let uniqueName = name
  for (let number = 2; usedNames.has(uniqueName); number += 1) uniqueName = `${name}-${number}`
  usedNames.add(uniqueName)
  return uniqueName
}

async function listMedia(services: Services, keepers: KeeperRow[]): Promise<{ sha256: string; mime: string }[]> {
  if (keepers.length === 0) return []
  const ids = keepers.map(({ id }) => id)
  const listActiveFiles = (entity: MediaEntry['entity']) => {
    const table = entryTables[entity] as 'moments'
    return services.db
      .selectFrom('media')
      .innerJoin(table, `${table}.id`, 'media.entity_id')
      .select(['media.sha256', 'media.mime'])
      .where('media.keeper_id', 'in', ids)
      .where('media.entity', '=', entity)
      .where(`${table}.deleted_at`, 'is', null)
      .execute()
  }
  const files = (await Promise.all(mediaEntities.map(listActiveFiles))).flat()
  for (const keeper of keepers) files.push(...(await listUnfinishedFiles(services, keeper)))
  return [...new Map(files.map((file) => [getMediaPath(file), file])).values()]
}
