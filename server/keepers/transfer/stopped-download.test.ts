import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { moments } from '#contract/keepers/moments.ts'
import { transfer } from '#contract/keepers/transfer.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { injectDatabaseFaults } from '#tests/failing-database.ts'
import { toRequest } from '#tests/test-app.ts'
import { uploadMedia } from '#tests/upload-media.ts'
import { useTestApp } from '#tests/use-test-app.ts'

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
    for (let taken = 0; reader && taken < maxChunks; taken++) {
      const { done, value } = await reader.read()
      if (done) return bytes
      bytes += value.length
    }
    await reader?.cancel()
    return bytes
  }
  /** Linux lists the open files of a process. */
  const openFiles = () => {
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
    for (let at = 1; at <= calls; at++) {
      failing.arm(at, 'for good')
      const { status, bytes } = await download()
      expect(status === 200 ? bytes : undefined, `call ${at} of ${calls}`).toBeUndefined()
    }
    failing.disarm()
    expect(await readChunks(Number.POSITIVE_INFINITY)).toBeGreaterThan(1_200_000)
  })

  it('closes its files at any point, and the next export is complete', async () => {
    await Promise.all(Array.from({ length: 60 }, (_, index) => readChunks(index)))
    await eventually(async () => expect(openFiles()).toEqual([]))
    expect(await readChunks(Number.POSITIVE_INFINITY)).toBeGreaterThan(1_200_000)
  })
})
