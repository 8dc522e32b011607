import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFreshDatabase, engines } from './engines.ts'
import { createTempFolder, startKeeperProcess } from './keeper-process.ts'

const secret = 'a secret of the tests, long enough for it'
const bucket = {
  S3_BUCKET: 'keeper',
  S3_ENDPOINT: 'http://127.0.0.1:9',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'hush',
}

describe.each(engines)('a fresh machine, on %s', (engine) => {
  it.each<[string, Record<string, string>]>([
    ['a generated key', {}],
    ['a secret', { KEEPER_SECRET: secret }],
    ['a secret and a bucket', { KEEPER_SECRET: secret, ...bucket }],
  ])('a fresh machine with %s is ready right away, with a private data folder', async (_, environment) => {
    const { databaseUrl, close } = await createFreshDatabase(engine)
    const directory = createTempFolder()
    const keeper = startKeeperProcess(directory, {
      ...environment,
      KEEPER_DATA_DIR: join(directory, 'deep', 'data'),
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    })
    const response = await fetch(`${await keeper.address}/health`)
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 200,
      body: { status: 'ok', reasons: [] },
    })
    expect(statSync(join(directory, 'deep', 'data')).mode & 0o777).toBe(0o700)
    keeper.child.kill('SIGTERM')
    expect((await keeper.exited).code).toBe(0)
    await close()
  })

  it.each([
    [
      'below a file',
      (directory: string) => writeFileSync(join(directory, 'data'), ''),
      'can’t write to the data folder',
    ],
    [
      'with a key file that is a folder',
      (directory: string) => mkdirSync(join(directory, 'data', 'keeper', 'master.key'), { recursive: true }),
      'master.key can’t be read (EISDIR)',
    ],
  ])('a fresh machine with a data folder %s says so in one line', async (_, prepare, expected) => {
    const { databaseUrl, close } = await createFreshDatabase(engine)
    const directory = createTempFolder()
    prepare(directory)
    const { code, stderr } = await startKeeperProcess(directory, {
      KEEPER_DATA_DIR: join(directory, 'data', 'keeper'),
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    }).exited
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Keeper cannot start: [^\n]+\n$/)
    expect(stderr).toContain(expected)
    expect(existsSync(join(directory, 'data'))).toBe(true)
    await close()
  })
})
