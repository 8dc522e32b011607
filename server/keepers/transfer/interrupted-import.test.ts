import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { entries } from '#contract/keepers/entries.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { search } from '#contract/keepers/search.ts'
import { type ImportJob, importUndoMs, transfer } from '#contract/keepers/transfer.ts'
import type { Person } from '#server/accounts/person.ts'
import {
  archivedKeeper,
  createKeeperJson,
  createReflectionArchive,
  createZip,
  deleteKeepersAndImports,
  exportKeeper,
  fetchImportJob,
  importArchive,
  previewArchive,
  uploadArchive,
  waitForImportJob,
} from '#tests/archives.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { injectDatabaseFaults } from '#tests/failing-database.ts'
import { type Actor, type TestApp, toRequest } from '#tests/test-app.ts'
import { uploadMedia } from '#tests/upload-media.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { startKeeperJobs } from '../scheduler.ts'
import { executeImport, freeAbandonedImports, stopImports, waitForImports } from './execute-import.ts'
import { undoImport } from './import-jobs.ts'
import { importLeaseMs } from './import-state.ts'

describe.each(engines)('an interrupted import, on %s', (engine) => {
  const { app, ben } = useTestApp(engine, ['ben'])
  beforeEach(() => deleteKeepersAndImports(app))

  const listImportedTexts = async ({ keeperId }: ImportJob) =>
    (await ben.call(reflections.list, { params: { id: keeperId ?? '' } })).data.map(({ content }) => content)

  it('resumes after the process died, without duplicates', async () => {
    const job = await previewArchive(ben, await createReflectionArchive(120))
    const { db } = app.services
    let steps = 0
    const dying = new Proxy(db, {
      get(target, name) {
        if (name === 'batch') {
          steps += 1
          if (steps === 2) throw new Error('killed')
        }
        const member = Reflect.get(target, name, target)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
    const failing = { ...app.services, db: dying }
    await db.updateTable('import_jobs').set({ state: 'running', lease_until: 0 }).where('id', '=', job.id).execute()
    await executeImport(failing, job.id)
    expect(app.logLines.at(-1)).toContain('import failed')
    const half = await fetchImportJob(ben, job.id)
    expect({ state: half.state, done: half.done }).toEqual({ state: 'failed', done: 50 })
    await ben.call(transfer.begin, { params: { jobId: job.id }, body: {} })
    const done = await waitForImportJob(ben, job.id, 'done')
    const texts = await listImportedTexts(done)
    expect({ textCount: texts.length, uniqueCount: new Set(texts).size }).toEqual({ textCount: 120, uniqueCount: 120 })
  })

  const listWarnings = (from: number) => app.logLines.slice(from).filter((line) => /"level":"(warn|error)"/.test(line))
  /** Simulates a restarted process. */
  async function restart(job: { id: string }, ...states: ImportJob['state'][]) {
    // The preview may still be saved when the job reports its end.
    await waitForImports()
    const stop = startKeeperJobs({ ...app.services })
    const currentJob = await waitForImportJob(ben, job.id, ...states)
    await stop()
    return currentJob
  }

  it('stops between steps on shutdown, logs no error and resumes without duplicates', async () => {
    const job = await previewArchive(ben, await createReflectionArchive(120))
    const { db } = app.services
    const logCount = app.logLines.length
    const stopping = {
      ...app.services,
      db: new Proxy(db, {
        get(target, name) {
          if (name === 'batch') void stopImports(stopping)
          const member = Reflect.get(target, name, target)
          return typeof member === 'function' ? member.bind(target) : member
        },
      }),
    }
    await db.updateTable('import_jobs').set({ state: 'running', lease_until: 0 }).where('id', '=', job.id).execute()
    await executeImport(stopping, job.id)
    const half = await fetchImportJob(ben, job.id)
    expect({ state: half.state, done: half.done }).toEqual({ state: 'running', done: 50 })
    await executeImport(stopping, job.id)
    expect((await fetchImportJob(ben, job.id)).done, 'no import starts anymore').toBe(50)

    const done = await restart(job, 'done', 'failed')
    const texts = await listImportedTexts(done)
    expect({ state: done.state, textCount: texts.length, uniqueCount: new Set(texts).size }).toEqual({
      state: 'done',
      textCount: 120,
      uniqueCount: 120,
    })
    expect(listWarnings(logCount)).toEqual([])
  })

  it('previews again after any number of interrupted previews', async () => {
    const logCount = app.logLines.length
    const { data: job } = (await (await uploadArchive(ben, await createReflectionArchive(20_000))).json()) as {
      data: ImportJob
    }
    await waitForImportJob(ben, job.id, 'previewed')
    await app.services.db.updateTable('import_jobs').set({ state: 'uploaded', lease_until: 0 }).execute()
    for (let stops = 0; stops < 5; stops++) {
      const stopping = { ...app.services }
      const execution = executeImport(stopping, job.id)
      await waitForImportJob(ben, job.id, 'reading')
      await stopImports(stopping)
      await execution
      expect((await fetchImportJob(ben, job.id)).state).toBe('uploaded')
    }
    expect((await restart(job, 'previewed', 'failed')).state).toBe('previewed')
    expect(listWarnings(logCount)).toEqual([])
  })

  it('resumes immediately when the next process has the database to itself', async () => {
    const job = await previewArchive(ben, await createReflectionArchive(3))
    const lease_until = app.services.now().getTime() + importLeaseMs
    await app.services.db
      .updateTable('import_jobs')
      .set({ state: 'running', lease_until })
      .where('id', '=', job.id)
      .execute()
    await freeAbandonedImports(app.services)
    expect((await restart(job, 'done', 'failed')).state).toBe('done')
  })
})

describe.each(engines)('undoing an import, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  beforeEach(() => deleteKeepersAndImports(app))

  const journal = () =>
    createZip({
      'Journal.json': JSON.stringify({
        entries: ['A', 'B', 'C'].map((uuid) => ({ uuid, creationDate: '2019-03-02T10:00:00Z', text: uuid })),
      }),
    })
  const undo = (actor: Actor, jobId: string) => actor.call(transfer.undo, { params: { jobId } })
  const listTexts = async (id: string) =>
    (await ben.call(moments.list, { params: { id } })).data.items.map(({ body }) => body).sort()

  it('moves its entries to the trash, except older and since changed entries', async () => {
    const { id } = await createTestKeeper(ben)
    await ben.call(moments.create, { params: { id }, body: { body: 'Mine' } })
    const job = await importArchive(ben, await journal(), { keeperId: id })
    const { items } = (await ben.call(moments.list, { params: { id } })).data
    const changed = items.find(({ body }) => body === 'B')
    await ben.call(moments.update, {
      params: { id: changed?.id ?? '' },
      body: { body: 'B, changed' },
      ifMatch: changed?.rev,
    })
    const undone = await undo(ben, job.id)
    expect(undone.data).toMatchObject({ state: 'undone', undoableUntil: null })
    expect(await listTexts(id)).toEqual(['B, changed', 'Mine'])
    const trashed = (await ben.call(entries.trash, { query: { keeperId: id } })).data
    expect(trashed.map(({ title }) => title).sort()).toEqual(['A', 'C'])
    expect((await undo(ben, job.id)).status).toBe(409)
  })

  it('allows the same export to be imported again', async () => {
    const { id } = await createTestKeeper(ben)
    await undo(ben, (await importArchive(ben, await journal(), { keeperId: id })).id)
    const secondImport = await importArchive(ben, await journal(), { keeperId: id })
    expect(secondImport.preview).toMatchObject({ entries: 3, duplicates: 0 })
    expect(await listTexts(id)).toEqual(['A', 'B', 'C'])
  })

  /** The services of a process that dies when it writes to `table` for the `nth` time. */
  function createDyingServices(table: string, nth: number): TestApp['services'] {
    let writes = 0
    const db = new Proxy(app.services.db, {
      get(target, name) {
        const member = Reflect.get(target, name, target)
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => {
          if (name === 'updateTable' && args[0] === table && ++writes === nth) throw new Error('killed')
          return Reflect.apply(member, target, args)
        }
      },
    })
    return { ...app.services, db }
  }

  it.each(['done', 'failed'] as const)(
    'undoing a %s import continues when it is repeated after an interruption',
    async (state) => {
      const { id } = await createTestKeeper(ben)
      const job = await importArchive(ben, await journal(), { keeperId: id })
      await app.services.db.updateTable('import_jobs').set({ state }).where('id', '=', job.id).execute()
      const person = { id: ben.id } as Person
      await expect(undoImport(createDyingServices('moments', 1), person, job.id)).rejects.toThrow('killed')
      expect(await listTexts(id)).toEqual(['A', 'B', 'C'])
      await expect(undoImport(createDyingServices('sources', 1), person, job.id)).rejects.toThrow('killed')
      expect((await ben.call(transfer.begin, { params: { jobId: job.id }, body: {} })).status).toBe(409)
      expect((await undo(ben, job.id)).data).toMatchObject({ state: 'undone', undoableUntil: null })
      expect(await listTexts(id)).toEqual([])
      expect((await importArchive(ben, await journal(), { keeperId: id })).preview).toMatchObject({ duplicates: 0 })
      expect(await listTexts(id)).toEqual(['A', 'B', 'C'])
    },
  )

  it('undoing an archive of two keepers continues with the second keeper', async () => {
    const at = '2026-01-02T03:04:05.000Z'
    const archivedKeepers = ['k', 'l'].map((id) => ({ id, title: id, moments: [{ occurredAt: at, body: id }] }))
    const json = JSON.stringify({ format: 'keeper', version: 1, keepers: archivedKeepers })
    const job = await importArchive(ben, await createZip({ 'keeper.json': json }))
    const listTitles = async () => (await ben.call(keepers.list, {})).data.map(({ title }) => title)
    expect(await listTitles()).toHaveLength(2)
    await expect(undoImport(createDyingServices('keepers', 2), { id: ben.id } as Person, job.id)).rejects.toThrow(
      'killed',
    )
    expect(await listTitles()).toHaveLength(1)
    expect((await undo(ben, job.id)).data).toMatchObject({ state: 'undone' })
    expect(await listTitles()).toEqual([])
  })

  it('moves conversations to the trash, where no search finds them', async () => {
    const { id } = await createTestKeeper(ben)
    const message = { uuid: 'm', sender: 'human', text: 'A lantern by the weir', created_at: '2026-03-01T08:00:00Z' }
    const chat = { uuid: 'c', name: 'Weir', created_at: message.created_at, updated_at: message.created_at }
    const bytes = await createZip({ 'conversations.json': JSON.stringify([{ ...chat, chat_messages: [message] }]) })
    const job = await importArchive(ben, bytes, { keeperId: id })
    const findTypes = async () =>
      (await ben.call(search.find, { query: { q: 'lantern' } })).data.items.map(({ type }) => type)
    expect(await findTypes()).toEqual(['source'])
    await undo(ben, job.id)
    expect(await findTypes()).toEqual([])
    expect((await importArchive(ben, bytes, { keeperId: id })).preview).toMatchObject({ entries: 1, duplicates: 0 })
    expect(await findTypes()).toEqual(['source'])
  })

  it('is refused to others, before anything was imported, and after 30 days', async () => {
    const { id } = await createTestKeeper(ben)
    const job = await importArchive(ben, await journal(), { keeperId: id })
    expect((await undo(ada, job.id)).status).toBe(404)
    const updateJob = (change: object) =>
      app.services.db.updateTable('import_jobs').set(change).where('id', '=', job.id).execute()
    await updateJob({ state: 'previewed' })
    expect((await undo(ben, job.id)).status).toBe(409)
    await updateJob({ state: 'done', updated_at: app.services.now().getTime() - importUndoMs })
    expect((await undo(ben, job.id)).status).toBe(409)
    expect(await listTexts(id)).toEqual(['A', 'B', 'C'])
  })

  it('moves the keepers of an archive to the trash, unless someone has written in them', async () => {
    const source = await createTestKeeper(ben)
    await ben.call(moments.create, { params: { id: source.id }, body: { body: 'Old' } })
    const bytes = await exportKeeper(ben, source.id)
    const first = await importArchive(ben, bytes)
    const second = await importArchive(ben, bytes)
    await ben.call(moments.create, { params: { id: second.keeperId ?? '' }, body: { body: 'New' } })
    const third = await importArchive(ben, bytes)
    await ben.call(journeys.create, { params: { id: third.keeperId ?? '' }, body: { title: 'North' } })
    for (const { id } of [first, second, third]) await undo(ben, id)
    const { data } = await ben.call(keepers.list, {})
    expect(data.map(({ id }) => id).sort()).toEqual([source.id, second.keeperId, third.keeperId].sort())
  })
})

const mebibyte = 1024 * 1024
const archive = createKeeperJson(archivedKeeper)

describe.each(engines)('uploading archives, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })

  it('accepts five of twelve concurrent archives', async () => {
    const bytes = await createZip({ 'keeper.json': archive })
    const responses = await Promise.all(Array.from({ length: 12 }, () => uploadArchive(ben, bytes)))
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    expect(statuses.filter((status) => status === 409)).toHaveLength(7)
    expect((await uploadArchive(ada, bytes)).status).toBe(200)
  })

  it('refuses pending archives above 20 GB together until one is canceled', async () => {
    const bytes = await createZip({ 'keeper.json': archive })
    const { id } = await previewArchive(ben, bytes)
    const setBytes = (count: number) =>
      app.services.db.updateTable('import_jobs').set({ bytes: count }).where('id', '=', id).execute()
    await setBytes(20 * 1024 * mebibyte - bytes.length + 1)
    const refused = await uploadArchive(ben, bytes)
    expect(refused.status).toBe(409)
    expect(await refused.text()).toContain('Together with the imports already waiting, this exceeds 20 GB.')
    const withoutLength = await ben.fetch('/api/keeper/imports?fileName=a.zip', {
      method: 'POST',
      headers: { 'content-type': 'application/zip' },
      body: new Uint8Array(bytes),
    })
    expect(withoutLength.status, 'an upload without a declared length').toBe(409)
    expect(readdirSync(join(app.services.settings.dataDir, 'imports')).length).toBe(1)
    expect((await app.services.db.selectFrom('import_jobs').select('id').execute()).length).toBe(1)
    expect((await uploadArchive(ada, bytes)).status).toBe(200)
    await setBytes(20 * 1024 * mebibyte - bytes.length)
    expect((await uploadArchive(ben, bytes)).status).toBe(200)
    expect((await uploadArchive(ben, bytes)).status).toBe(409)
    await ben.call(transfer.cancel, { params: { jobId: id } })
    expect((await uploadArchive(ben, bytes)).status).toBe(200)
  })

  it('removes file and job of an interrupted upload and logs no error', async () => {
    const bytes = await createZip({ 'keeper.json': archive })
    let chunkCount = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (chunkCount++ === 0) controller.enqueue(bytes.subarray(0, 40))
        else controller.error(new Error('the line went dead'))
      },
    })
    const logCount = app.logLines.length
    const headers = { 'content-type': 'application/zip', 'content-length': String(bytes.length) }
    const init = { method: 'POST', headers, body, duplex: 'half' }
    const response = await ben.fetch('/api/keeper/imports?fileName=a.zip', init as RequestInit)
    expect({ status: response.status, text: await response.text() }).toEqual({
      status: 400,
      text: expect.stringContaining('The upload was interrupted.'),
    })
    expect(app.logLines.slice(logCount).filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([])
    expect(readdirSync(join(app.services.settings.dataDir, 'imports'))).toEqual([])
    expect(await app.services.db.selectFrom('import_jobs').select('id').execute()).toEqual([])
  })

  it('accepts the fifth archive while the fourth is stored but not answered yet', async () => {
    const bytes = await createZip({ 'keeper.json': archive })
    for (let count = 0; count < 3; count++) expect((await uploadArchive(ben, bytes)).status).toBe(200)
    const executor = app.services.db.getExecutor()
    const execute = executor.executeQuery.bind(executor)
    const firstWrite = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    const slow = vi.spyOn(executor, 'executeQuery').mockImplementation(async (query) => {
      const rows = await execute(query)
      if (query.query.kind !== 'InsertQueryNode' || !query.sql.includes('import_jobs')) return rows as never
      firstWrite.resolve()
      await answered.promise
      return rows as never
    })
    const fourth = uploadArchive(ben, bytes)
    await firstWrite.promise
    slow.mockRestore()
    const fifth = uploadArchive(ben, bytes)
    expect((await fifth).status).toBe(200)
    const sixth = uploadArchive(ben, bytes)
    expect((await sixth).status).toBe(409)
    answered.resolve()
    expect((await fourth).status).toBe(200)
  })
})

describe.each(engines)('an interrupted export, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'])
  beforeAll(async () => {
    const { id } = await createTestKeeper(ada)
    for (let index = 0; index < 3; index++) {
      const mediaIds = [await uploadMedia(ada, id, 'audio/mpeg', randomBytes(400_000))]
      await ada.call(moments.create, { params: { id }, body: { body: `Frost ${index}`, mediaIds } })
    }
  })

  const { path, init } = toRequest(transfer.exportAll)
  const readChunks = async (maxChunks: number) => {
    const reader = (await ada.fetch(path, init)).body?.getReader()
    let bytes = 0
    for (let chunkCount = 0; reader && chunkCount < maxChunks; chunkCount++) {
      const { done, value } = await reader.read()
      if (done) return bytes
      bytes += value.length
    }
    await reader?.cancel()
    return bytes
  }
  /** Linux lists the open files of a process. */
  const listOpenFiles = () => {
    const folder = '/proc/self/fd'
    if (!existsSync(folder)) return []
    return readdirSync(folder).flatMap((entry) => {
      try {
        return [readlinkSync(join(folder, entry))].filter((file) =>
          file.includes(`${app.services.settings.dataDir}/media`),
        )
      } catch {
        return []
      }
    })
  }

  it('breaks off when the database fails, and the server keeps running', async () => {
    const failing = injectDatabaseFaults(app.services.db)
    const download = async () => {
      const response = await ada.fetch(path, init)
      const bytes = await response.bytes().catch(() => undefined)
      await failing.idle()
      return { status: response.status, bytes }
    }
    failing.count()
    expect((await download()).status).toBe(200)
    const { calls } = failing
    expect(calls).toBeGreaterThan(10)
    for (let index = 1; index <= calls; index++) {
      failing.arm(index, 'for good')
      const { status, bytes } = await download()
      expect(status === 200 ? bytes : undefined, `call ${index} of ${calls}`).toBeUndefined()
    }
    failing.disarm()
    expect(await readChunks(Number.POSITIVE_INFINITY)).toBeGreaterThan(1_200_000)
  })

  it('closes its files wherever it stops, and the next export is complete', async () => {
    await Promise.all(Array.from({ length: 60 }, (_, index) => readChunks(index)))
    await eventually(async () => expect(listOpenFiles()).toEqual([]))
    expect(await readChunks(Number.POSITIVE_INFINITY)).toBeGreaterThan(1_200_000)
  })
})
