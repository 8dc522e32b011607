import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { transfer } from '#contract/keepers/transfer.ts'
import { createZip, previewArchive, uploadArchive } from '#tests/archives.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const mebibyte = 1024 * 1024
const at = '2026-01-02T03:04:05.000Z'
const keeper = {
  ...{ id: 'k', title: 'K', purpose: '', keeperType: 'journal', memoryPattern: 'SOLE', theme: 'keeper-classic' },
  ...{ isPublic: false, createdAt: at, updatedAt: at },
}
const archive = JSON.stringify({ format: 'keeper', version: 1, exportedAt: at, keepers: [keeper] })

describe.each(engines)('uploading archives, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })

  it('accepts five of twelve concurrent archives', async () => {
    const bytes = await createZip({ 'keeper.json': archive })
    const answers = await Promise.all(Array.from({ length: 12 }, () => uploadArchive(ben, bytes)))
    const statuses = answers.map(({ status }) => status)
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
    const untold = await ben.fetch('/api/keeper/imports?fileName=a.zip', {
      method: 'POST',
      headers: { 'content-type': 'application/zip' },
      body: new Uint8Array(bytes),
    })
    expect(untold.status, 'one that does not say how long it is').toBe(409)
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
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent++ === 0) controller.enqueue(bytes.subarray(0, 40))
        else controller.error(new Error('the line went dead'))
      },
    })
    const logged = app.logLines.length
    const headers = { 'content-type': 'application/zip', 'content-length': String(bytes.length) }
    const init = { method: 'POST', headers, body, duplex: 'half' }
    const answer = await ben.fetch('/api/keeper/imports?fileName=a.zip', init as RequestInit)
    expect({ status: answer.status, answer: await answer.text() }).toEqual({
      status: 400,
      answer: expect.stringContaining('The upload was interrupted.'),
    })
    expect(app.logLines.slice(logged).filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([])
    expect(readdirSync(join(app.services.settings.dataDir, 'imports'))).toEqual([])
    expect(await app.services.db.selectFrom('import_jobs').select('id').execute()).toEqual([])
  })

  it('accepts the fifth archive while the fourth is stored but not answered yet', async () => {
    const bytes = await createZip({ 'keeper.json': archive })
    for (let n = 0; n < 3; n++) expect((await uploadArchive(ben, bytes)).status).toBe(200)
    const executor = app.services.db.getExecutor()
    const execute = executor.executeQuery.bind(executor)
    const [written, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = vi.spyOn(executor, 'executeQuery').mockImplementation(async (query) => {
      const rows = await execute(query)
      if (query.query.kind !== 'InsertQueryNode' || !query.sql.includes('import_jobs')) return rows as never
      written.resolve()
      await answered.promise
      return rows as never
    })
    const fourth = uploadArchive(ben, bytes)
    await written.promise
    slow.mockRestore()
    const fifth = uploadArchive(ben, bytes)
    expect((await fifth).status).toBe(200)
    const sixth = uploadArchive(ben, bytes)
    expect((await sixth).status).toBe(409)
    answered.resolve()
    expect((await fourth).status).toBe(200)
  })
})
