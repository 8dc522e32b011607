import { beforeEach, describe, expect, it } from 'vitest'
import { reflections } from '#contract/keepers/reflections.ts'
import { type ImportJob, transfer } from '#contract/keepers/transfer.ts'
import {
  createReflectionArchive,
  fetchImportJob,
  previewArchive,
  uploadArchive,
  waitForImportJob,
} from '#tests/archives.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { startKeeperJobs } from '../scheduler.ts'
import { executeImport, freeAbandonedImports, stopImports, waitForImports } from './execute-import.ts'
import { importLeaseMs } from './import-jobs.ts'

describe.each(engines)('an interrupted import, on %s', (engine) => {
  const { app, ben } = useTestApp(engine, ['ben'])
  beforeEach(async () => {
    await app.services.db.deleteFrom('keepers').execute()
    await app.services.db.deleteFrom('import_jobs').execute()
  })

  const textsIn = async ({ keeperId }: ImportJob) =>
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
    const texts = await textsIn(done)
    expect({ textCount: texts.length, set: new Set(texts).size }).toEqual({ textCount: 120, set: 120 })
  })

  const complaints = (from: number) => app.logLines.slice(from).filter((line) => /"level":"(warn|error)"/.test(line))
  /** Simulates a restarted process. */
  async function afterTheStart(job: { id: string }, ...states: ImportJob['state'][]) {
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
    expect((await fetchImportJob(ben, job.id)).done, 'nothing begins any more').toBe(50)

    const done = await afterTheStart(job, 'done', 'failed')
    const texts = await textsIn(done)
    expect({ state: done.state, textCount: texts.length, set: new Set(texts).size }).toEqual({
      state: 'done',
      textCount: 120,
      set: 120,
    })
    expect(complaints(logCount)).toEqual([])
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
      const looking = executeImport(stopping, job.id)
      await waitForImportJob(ben, job.id, 'reading')
      await stopImports(stopping)
      await looking
      expect((await fetchImportJob(ben, job.id)).state).toBe('uploaded')
    }
    expect((await afterTheStart(job, 'previewed', 'failed')).state).toBe('previewed')
    expect(complaints(logCount)).toEqual([])
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
    expect((await afterTheStart(job, 'done', 'failed')).state).toBe('done')
  })
})
