import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { savePlatformKey, sealedFor } from '#server/keys/provider-keys.ts'
import { createSealer, readMasterSecret } from '#server/keys/sealer.ts'
import { cast } from '#tests/cast.ts'
import { engines } from '#tests/engines.ts'
import { type TestApp, testApp } from '#tests/test-app.ts'
import { runAdminCommand } from './admin-commands.ts'
import { adminSocketPath, listenForAdmin } from './admin-socket.ts'

let app: TestApp | undefined
const folder = mkdtempSync(join(tmpdir(), 'keeper-admin-'))

afterEach(async () => {
  await app?.close()
  app = undefined
})

const run = (line: string, environment = {}) => {
  if (!app) throw new Error('no app')
  return runAdminCommand(app.services, line.split(' '), environment)
}

test.for(engines)('a role is granted, seen at once, and taken away (%s)', async (engine) => {
  app = await testApp(engine)
  const ben = await app.as('ben')
  expect((await ben.call(accounts.session)).data.platformRoles).toEqual([])
  await run(`grant ${cast.ben.email.toUpperCase()} admin`)
  await run(`grant ${cast.ben.email} admin`)
  expect((await ben.call(accounts.session)).data.platformRoles).toEqual(['admin'])
  expect(await run('list')).toMatch(/^ben@\S+\s+admin$/)
  await run(`revoke ${cast.ben.email} admin`)
  expect((await ben.call(accounts.session)).data.platformRoles).toEqual([])
})

test.for(engines)('the last super-admin stays (%s)', async (engine) => {
  app = await testApp(engine)
  await app.as('cleo', ['super-admin'])
  await expect(run(`revoke ${cast.cleo.email} super-admin`)).rejects.toThrow('last super-admin')
  expect(await run('list')).toContain('super-admin')
  await app.as('ada', ['super-admin'])
  expect(await run(`revoke ${cast.cleo.email} super-admin`)).toContain('is not super-admin any more')
})

test('a set-up link makes a super-admin, a reset link sets a password', async () => {
  app = await testApp('sqlite')
  const setupToken = (await run('setup-link')).split('setup=')[1]
  const registered = await app.visitor().call(accounts.register, { body: { ...cast.cleo, setupToken } })
  expect(registered.status).toBe(200)
  expect(await run('list')).toContain(cast.cleo.email)

  const token = (await run(`reset-link ${cast.cleo.email}`)).split('reset=')[1]
  const newPassword = 'another-lantern-77'
  expect((await app.visitor().call(accounts.completePasswordReset, { body: { token, newPassword } })).status).toBe(200)
  const signIn = { body: { email: cast.cleo.email, password: newPassword } }
  expect((await app.visitor().call(accounts.login, signIn)).status).toBe(200)
})

test('what cannot be done is said in words', async () => {
  app = await testApp('sqlite')
  await expect(run('grant nobody@willowbrook.example admin')).rejects.toThrow('Nobody has registered')
  await expect(run('dance')).rejects.toThrow('There is no command "dance"')
  await expect(run('toString')).rejects.toThrow('There is no command')
  await expect(run('grant')).rejects.toThrow('grant <email> <role>')
  await app.as('ben')
  await expect(run(`grant ${cast.ben.email} emperor`)).rejects.toThrow('There is no role "emperor"')
})

test.for(engines)('a rotated secret opens every key, the old one none (%s)', async (engine) => {
  const oldSecret = await readMasterSecret(null, folder)
  app = await testApp(engine, { settings: (settings) => Object.assign(settings, { dataDir: folder }) })
  const { services } = app
  services.sealer = createSealer(oldSecret)
  await savePlatformKey(services, null, { provider: 'openai', api_key: 'sk-test-0123456789abcdef' })
  expect(await run('rotate-secret')).toContain('1 key is sealed anew')

  const { sealed } = await services.db.selectFrom('provider_keys').select('sealed').executeTakeFirstOrThrow()
  const belongsTo = sealedFor('platform', 'openai')
  expect(services.sealer.open(sealed, belongsTo)).toBe('sk-test-0123456789abcdef')
  expect(createSealer(await readMasterSecret(null, folder)).open(sealed, belongsTo)).toBe('sk-test-0123456789abcdef')
  expect(() => createSealer(oldSecret).open(sealed, belongsTo)).toThrow()
  expect(statSync(join(folder, 'master.key')).mode & 0o777).toBe(0o600)
})

test('however often the secret is rotated, each one of before is kept for its backups, readable by its owner only', async () => {
  const keptNow = () => readdirSync(folder).filter((name) => name.startsWith('master.key.before-'))
  const ofOthers = new Set(keptNow())
  const secrets = [await readMasterSecret(null, folder)]
  app = await testApp('sqlite', { settings: (settings) => Object.assign(settings, { dataDir: folder }) })
  for (let rotation = 0; rotation < 3; rotation++) {
    app.services.sealer = createSealer(secrets.at(-1) ?? '')
    await run('rotate-secret')
    secrets.push(await readMasterSecret(null, folder))
    app.passTime(1)
  }
  const kept = keptNow().filter((name) => !ofOthers.has(name))
  expect(kept.toSorted().map((name) => readFileSync(join(folder, name), 'utf8').trim())).toEqual(secrets.slice(0, 3))
  for (const name of kept) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
})

test('a rotation that was cut off before the file changed is finished by the next', async () => {
  app = await testApp('sqlite', { settings: (settings) => Object.assign(settings, { dataDir: folder }) })
  const { services } = app
  const next = 'the secret that was about to be the new one'
  services.sealer = createSealer(next)
  await savePlatformKey(services, null, { provider: 'openai', api_key: 'sk-test-0123456789abcdef' })
  writeFileSync(join(folder, 'master.key.next'), next)
  services.sealer = createSealer(await readMasterSecret(null, folder))
  await run('rotate-secret')
  expect(readFileSync(join(folder, 'master.key'), 'utf8').trim()).toBe(next)
})

test('where the secret is a setting, its successor must be given', async () => {
  const secret = 'a secret that only tests use, long enough'
  app = await testApp('sqlite', { environment: { KEEPER_SECRET: secret } })
  await savePlatformKey(app.services, null, { provider: 'openai', api_key: 'sk-test-0123456789abcdef' })
  await expect(run('rotate-secret')).rejects.toThrow('KEEPER_NEW_SECRET')
  await expect(run('rotate-secret', { KEEPER_NEW_SECRET: 'short' })).rejects.toThrow('32 characters')
  const said = await run('rotate-secret', { KEEPER_NEW_SECRET: 'its successor, which is long enough as well' })
  expect(said).toContain('restart every process')
  expect(said).not.toContain('its successor')
})

test.skipIf(process.platform === 'win32')(
  'a running server takes commands on a socket only its owner may open',
  async () => {
    app = await testApp('sqlite')
    const path = adminSocketPath(folder) ?? ''
    const listening = await listenForAdmin(app.services, path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const ask = async (sent: string) => {
      const socket = connect({ path, allowHalfOpen: true })
      socket.end(sent)
      return JSON.parse(await text(socket)) as unknown
    }
    await app.as('ben')
    expect(await ask(JSON.stringify({ words: ['grant', cast.ben.email, 'viewer'], environment: {} }))).toEqual({
      done: true,
      text: `${cast.ben.email} is viewer now.`,
    })
    expect(await ask(JSON.stringify({ words: ['dance'], environment: {} }))).toMatchObject({ done: false })
    expect(await ask('not JSON')).toEqual({ done: false, text: 'This failed. The log of the server says why.' })
    listening.close()
    rmSync(folder, { recursive: true })
  },
)
