import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImportKind, ImportPreview } from '#contract/keepers/transfer.ts'
import type { MomentPart } from '#server/keepers/transfer/import-plan.ts'
import { recognizeImport } from '#server/keepers/transfer/importers/index.ts'
import { planImport } from '#server/keepers/transfer/plan-import.ts'
import { ZipReader } from '#server/keepers/transfer/zip-reader.ts'
import { createZip } from './archives.ts'

interface PlannedArchive {
  kind: ImportKind | undefined
  preview: ImportPreview | undefined
  moments: MomentPart[]
}

/** Preview and moments of another app's export, without a server and its threads. */
export async function planArchive(
  files: Record<string, string | Buffer>,
  { timezone = 'UTC', importedIds = new Map<string, string>() } = {},
): Promise<PlannedArchive> {
  const dir = await mkdtemp(join(tmpdir(), 'keeper-plan-'))
  const path = join(dir, 'a.zip')
  await writeFile(path, await createZip(files))
  const zip = await ZipReader.open(path)
  try {
    const kind = await recognizeImport(zip)
    if (kind === undefined || kind === 'keeper-zip') return { kind, preview: undefined, moments: [] }
    const target = { id: 'keeper', owner_id: 'owner' }
    const plan = await planImport(zip, {
      jobId: 'job',
      kind,
      target,
      importedIds,
      existingSources: new Map(),
      timezone,
    })
    const moments: MomentPart[] = []
    for await (const part of plan.parts()) if (part.kind === 'moment') moments.push(part)
    return { kind, preview: plan.preview, moments }
  } finally {
    zip.close()
    await rm(dir, { recursive: true })
  }
}
