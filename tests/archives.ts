import { expect } from 'vitest'
import { type ImportJob, transfer } from '#contract/keepers/transfer.ts'
import type { archiveKeys } from '#server/keepers/transfer/archive-columns.ts'
import type { ArchivedEntry, ArchivedKeeper } from '#server/keepers/transfer/archive-format.ts'
import { createZip } from './create-zip.ts'
import { eventually } from './eventually.ts'
import type { Actor, TestApp } from './test-app.ts'

export { createZip, png } from './create-zip.ts'

/** The `keeper.json` of an export. */
export interface ExportedArchive {
  keepers: (Omit<ArchivedKeeper, ExportedList> & Record<ExportedList, ArchivedEntry[]>)[]
}
type ExportedList = (typeof archiveKeys)[keyof typeof archiveKeys]

export const archivedAt = '2026-01-02T03:04:05.000Z'
const times = { createdAt: archivedAt, updatedAt: archivedAt }

export const archivedKeeper = {
  id: 'k',
  title: 'K',
  purpose: '',
  keeperType: 'journal',
  memoryPattern: 'SOLE',
  theme: 'keeper-classic',
  isPublic: false,
  ...times,
}

/** The `keeper.json` of archived keepers. */
export const createKeeperJson = (...keepers: object[]): string =>
  JSON.stringify({ format: 'keeper', version: 1, exportedAt: archivedAt, keepers })

/** A keeper archive with `count` reflections, numbered, each ending in `suffix`. */
export function createReflectionArchive(count: number, suffix = ''): Promise<Buffer> {
  const columns = {
    ...times,
    source: null,
    agentId: 'self',
    topic: null,
    aiVisible: true,
    restedAt: null,
    promotedAt: null,
    momentId: null,
  }
  const reflections = Array.from({ length: count }, (_, n) => ({
    ...columns,
    id: `r${n}`,
    content: `Number ${n}${suffix}`,
  }))
  return createZip({ 'keeper.json': createKeeperJson({ ...archivedKeeper, title: 'Many', reflections }) })
}

/** Run between tests, so that no import is a duplicate of an earlier one. */
export async function deleteKeepersAndImports({ services: { db } }: TestApp): Promise<void> {
  await db.deleteFrom('keepers').execute()
  await db.deleteFrom('import_jobs').execute()
}

/** The zip export of a keeper. */
export async function exportKeeper(actor: Actor, keeperId: string): Promise<Buffer> {
  const response = await actor.fetch(`/api/keeper/keepers/${keeperId}/export`)
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

export function uploadArchive(actor: Actor, bytes: Buffer, query = ''): Promise<Response> {
  return actor.fetch(`/api/keeper/imports?fileName=a.zip${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/zip', 'content-length': String(bytes.length) },
    body: new Uint8Array(bytes),
  })
}

export async function fetchImportJob(actor: Actor, jobId: string): Promise<ImportJob> {
  return (await actor.call(transfer.show, { params: { jobId } })).data
}

export function waitForImportJob(actor: Actor, jobId: string, ...states: ImportJob['state'][]): Promise<ImportJob> {
  return eventually(async () => {
    const job = await fetchImportJob(actor, jobId)
    expect(states).toContain(job.state)
    return job
  })
}

/** Uploads an archive and waits for its preview. */
export async function previewArchive(actor: Actor, bytes: Buffer, query = ''): Promise<ImportJob> {
  const { data } = (await (await uploadArchive(actor, bytes, query)).json()) as { data: { id: string } }
  return waitForImportJob(actor, data.id, 'previewed', 'failed')
}

export async function importArchive(actor: Actor, bytes: Buffer, body: { keeperId?: string } = {}): Promise<ImportJob> {
  const { id } = await previewArchive(actor, bytes)
  await actor.call(transfer.begin, { params: { jobId: id }, body })
  return waitForImportJob(actor, id, 'done')
}
