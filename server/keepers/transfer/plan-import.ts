import { getEntryPath } from '#contract/keepers/entry-address.ts'
import type { ForeignImportKind, ImportPreview } from '#contract/keepers/transfer.ts'
import { Problem } from '#server/http/problem.ts'
import { createImportedId } from './archive-format.ts'
import type { ExistingSource } from './entry-writes.ts'
import { getFileProblem, ImportNotes, type NoteText } from './import-notes.ts'
import { emptyPreview, extendSpan, type ImportPart, type ImportPlan, type ImportTarget } from './import-plan.ts'
import { type ImportedEntry, type ImportedSource, resolveEntryLinks } from './importers/importer.ts'
import { importers } from './importers/index.ts'
import { toMomentParts } from './to-moment-part.ts'
import { toSourcePart } from './to-source-part.ts'
import type { ZipReader } from './zip-reader.ts'

export interface ForeignImport {
  jobId: string
  kind: ForeignImportKind
  /** Undefined until a keeper is chosen; before that, nothing counts as a duplicate or can be imported. */
  target: ImportTarget | undefined
  /** Moments of earlier imports by source id. */
  importedIds: ReadonlyMap<string, string>
  /** Conversations and documents of earlier imports by source id. */
  existingSources: ReadonlyMap<string, ExistingSource>
  timezone: string
}

const maxGroups = 1000
/** Limits the ids in memory; a job shouldn't import more entries either. */
const maxEntries = 1_000_000

/**
 * Reads the export once for its preview; `parts` reads it again, entry by entry.
 * @throws Problem 422 when nothing in it can be read
 */
export async function planImport(zip: ZipReader, job: ForeignImport): Promise<ImportPlan> {
  const importer = importers[job.kind]
  const notes = new ImportNotes()
  const preview: ImportPreview = { ...emptyPreview }
  const groups = new Map<string, number>()
  const sourceIds = new Set<string>()
  let total = 0
  for await (const entry of importer.read(zip, { notes, timezone: job.timezone, importedIds: job.importedIds })) {
    preview.entries += 1
    if (preview.entries > maxEntries)
      throw new Problem('unprocessable', {
        message: `This export has more than ${maxEntries.toLocaleString('en-US')} entries.`,
      })
    if (groups.size < maxGroups || groups.has(entry.group)) groups.set(entry.group, (groups.get(entry.group) ?? 0) + 1)
    if (isDuplicate(job, entry) || sourceIds.has(entry.sourceId)) {
      preview.duplicates += 1
      continue
    }
    const partContext = { zip, notes, timezone: job.timezone, target: job.target ?? noTarget }
    const entryParts = isSource(entry) ? [toSourcePart(entry, partContext)] : toMomentParts(entry, partContext)
    const partCount = entryParts.filter((part) => part !== undefined).length
    total += partCount
    if (partCount === 0) preview.entries -= 1
    else {
      sourceIds.add(entry.sourceId)
      if (job.existingSources.has(entry.sourceId)) notes.add(updatedSource, entry.title)
      extendSpan(preview, new Date(entry.occurredAt).toISOString())
    }
    const files = isSource(entry) ? [] : (entry.files ?? [])
    preview.media += files.length
    preview.missingMedia += files.filter(
      ({ file }) => file === undefined || getFileProblem(zip, file) === 'missingFile',
    ).length
  }
  // The preview's parts are groups of entries; an `ImportPart` is one step of the import.
  preview.parts = [...groups].map(([title, entries]) => ({ title, entries }))
  const { target } = job
  return {
    preview: { ...preview, ...notes.toPreview() },
    total: target ? total : 0,
    parts: () => (target ? readParts(zip, { ...job, target }, sourceIds) : readNoParts()),
    keeperIds: target ? [target.id] : [],
  }
}

const updatedSource: NoteText = {
  one: '1 conversation or document has changed since the last import and is updated.',
  many: '# conversations or documents have changed since the last import and are updated.',
}

const isSource = (entry: ImportedEntry | ImportedSource): entry is ImportedSource => 'messages' in entry

function isDuplicate(job: ForeignImport, entry: ImportedEntry | ImportedSource): boolean {
  if (!isSource(entry)) return job.importedIds.has(entry.sourceId)
  const existing = job.existingSources.get(entry.sourceId)
  return existing !== undefined && (existing.isDeleted || (entry.changedAt ?? 0) <= (existing.changedAt ?? 0))
}

const noTarget: ImportTarget = { id: '', owner_id: '' }

async function* readNoParts(): AsyncGenerator<ImportPart> {}

async function* readParts(
  zip: ZipReader,
  job: ForeignImport & { target: ImportTarget },
  sourceIds: ReadonlySet<string>,
): AsyncGenerator<ImportPart> {
  const { jobId, kind, target, importedIds, existingSources, timezone } = job
  const notes = new ImportNotes()
  const readIds = new Set<string>()
  const findEntryPath = (sourceId: string) => {
    const id = importedIds.get(sourceId) ?? (sourceIds.has(sourceId) ? getMomentId(jobId, sourceId) : undefined)
    return id && getEntryPath({ entity: 'moment', keeperId: target.id, id })
  }
  for await (const entry of importers[kind].read(zip, { notes, timezone, importedIds })) {
    if (isDuplicate(job, entry) || readIds.has(entry.sourceId)) continue
    readIds.add(entry.sourceId)
    if (isSource(entry)) {
      const part = toSourcePart(entry, { notes, target })
      const existing = existingSources.get(entry.sourceId)
      const id = existing?.id ?? createImportedId(jobId, 'source', entry.sourceId)
      if (part) yield { ...part, id, isUpdate: existing !== undefined }
      continue
    }
    for (const part of toMomentParts(entry, { zip, notes, timezone, target }))
      yield { ...part, id: getMomentId(jobId, part.sourceId), text: resolveEntryLinks(part.text, findEntryPath) }
  }
}

const getMomentId = (jobId: string, sourceId: string) => createImportedId(jobId, 'moment', sourceId)
