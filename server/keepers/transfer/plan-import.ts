import type { ForeignImportKind, ImportPreview } from '#contract/keepers/transfer.ts'
import { Problem } from '#server/http/problem.ts'
import { ImportNotes } from './import-notes.ts'
import { emptyPreview, type ImportPart, type ImportPlan, type ImportTarget } from './import-plan.ts'
import { createImportedId } from './imported-id.ts'
import { resolveEntryLinks } from './importers/importer.ts'
import { importers } from './importers/index.ts'
import { getFileProblem } from './media-in-zip.ts'
import { toMomentParts } from './to-moment-part.ts'
import type { ZipReader } from './zip-reader.ts'

export interface ForeignImport {
  jobId: string
  kind: ForeignImportKind
  /** Without a keeper nothing is a duplicate and nothing can be imported yet. */
  into: ImportTarget | undefined
  /** Moments of earlier imports by source id. */
  importedIds: ReadonlyMap<string, string>
  timezone: string
}

const maxGroups = 1000
/** Ids in memory; also more entries than one job should write. */
const maxEntries = 1_000_000

/** Reads the export once for its preview; `parts` reads it again, entry by entry.
 * @throws Problem 422 when nothing in it can be read */
export async function planImport(zip: ZipReader, job: ForeignImport): Promise<ImportPlan> {
  const importer = importers[job.kind]
  const notes = new ImportNotes()
  const preview: ImportPreview = { ...emptyPreview }
  const groups = new Map<string, number>()
  const sourceIds = new Set<string>()
  let total = 0
  for await (const entry of importer.read(zip, { notes, timezone: job.timezone })) {
    preview.entries += 1
    if (preview.entries > maxEntries)
      throw new Problem('unprocessable', {
        message: `This export has more than ${maxEntries.toLocaleString('en-US')} entries.`,
      })
    if (groups.size < maxGroups || groups.has(entry.group)) groups.set(entry.group, (groups.get(entry.group) ?? 0) + 1)
    if (job.importedIds.has(entry.sourceId) || sourceIds.has(entry.sourceId)) {
      preview.duplicates += 1
      continue
    }
    const parts = toMomentParts(entry, { zip, notes, timezone: job.timezone, into: job.into ?? noTarget })
    if (parts.length === 0) preview.entries -= 1
    else sourceIds.add(entry.sourceId)
    total += parts.length
    const files = entry.files ?? []
    preview.media += files.length
    preview.missingMedia += files.filter(
      ({ file }) => file === undefined || getFileProblem(zip, file) === 'missingFile',
    ).length
    const [first] = parts
    if (!first) continue
    const at = new Date(first.occurredAt).toISOString()
    if (preview.from === null || at < preview.from) preview.from = at
    if (preview.to === null || at > preview.to) preview.to = at
  }
  preview.parts = [...groups].map(([title, entries]) => ({ title, entries }))
  const { into } = job
  return {
    preview: { ...preview, ...notes.toPreview() },
    total: into ? total : 0,
    parts: () => (into ? readParts(zip, { ...job, into }, sourceIds) : noParts()),
    keeperIds: into ? [into.id] : [],
  }
}

const noTarget: ImportTarget = { id: '', owner_id: '' }

async function* noParts(): AsyncGenerator<ImportPart> {}

async function* readParts(
  zip: ZipReader,
  { jobId, kind, into, importedIds, timezone }: ForeignImport & { into: ImportTarget },
  sourceIds: ReadonlySet<string>,
): AsyncGenerator<ImportPart> {
  const notes = new ImportNotes()
  const done = new Set<string>()
  const getAddress = (sourceId: string) => {
    const id = importedIds.get(sourceId) ?? (sourceIds.has(sourceId) ? getMomentId(jobId, sourceId) : undefined)
    return id && `/keeper/${into.id}/moments?moment=${id}`
  }
  for await (const entry of importers[kind].read(zip, { notes, timezone })) {
    if (importedIds.has(entry.sourceId) || done.has(entry.sourceId)) continue
    done.add(entry.sourceId)
    for (const part of toMomentParts(entry, { zip, notes, timezone, into }))
      yield { ...part, id: getMomentId(jobId, part.sourceId), text: resolveEntryLinks(part.text, getAddress) }
  }
}

const getMomentId = (jobId: string, sourceId: string) => createImportedId(jobId, 'moment', sourceId)
