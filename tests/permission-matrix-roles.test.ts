import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { platformRoles } from '#contract/accounts/accounts.ts'
import { administration } from '#contract/administration/administration.ts'
import { engines } from './engines.ts'
import { actorKinds, makeWorld, type World } from './permission-matrix-world.ts'
import { requestOf } from './test-app.ts'
import { databaseHash } from './whole-database.ts'

const verbs = [
  ['POST', administration.assignRole],
  ['DELETE', administration.removeRole],
] as const
const signedOut = ['visitor', 'dead token', 'expired token', 'deactivated']

describe.each(engines)('granting and revoking platform roles, on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await makeWorld(engine)
  })
  afterAll(() => world.app.close())

  const statusOf = async (verb: (typeof verbs)[number][1], token: string | null, body: object) => {
    const { path, init } = requestOf(verb, { body })
    const headers = { ...(init.headers as Record<string, string>), ...(token && { authorization: `Bearer ${token}` }) }
    const response = await world.app.fetch(path, { ...init, headers })
    await response.text()
    return response.status
  }
  const hash = () => databaseHash(world.app.services.db, ['throttle_windows'])

  it('only a super-admin grants and revokes roles, for anyone', async () => {
    const wrong: string[] = []
    let cells = 0
    const another = await world.somebodyElse()
    for (const kind of actorKinds) {
      const token = await world.tokenOf(kind)
      const own = world.idOf(kind)
      const before = await hash()
      for (const [method, verb] of verbs) {
        for (const roleName of platformRoles) {
          for (const userId of [another, own ?? another]) {
            const status = await statusOf(verb, token, { userId, roleName })
            const isTheLast = userId === own && roleName === 'super-admin' && method === 'DELETE'
            const allowed = isTheLast ? 409 : 200
            const expected = signedOut.includes(kind) ? 401 : kind === 'super-admin' ? allowed : 403
            if (status !== expected)
              wrong.push(`${kind}, ${method} ${roleName} for ${userId === own ? 'themselves' : 'another'}: ${status}`)
            cells++
          }
        }
      }
      if (kind !== 'super-admin' && (await hash()) !== before) wrong.push(`${kind} changed something`)
    }
    expect(wrong).toEqual([])
    expect(cells, 'as docs/promises.md says').toBe(504)
  })

  it('refuses invalid role names and user ids without effect', async () => {
    const token = await world.tokenOf('super-admin')
    const userId = await world.somebodyElse()
    const before = await hash()
    const words: unknown[] = [
      ['super-admin'],
      'super-admin ',
      ' super-admin',
      'Super-Admin',
      'emperor',
      '',
      null,
      undefined,
      0,
      true,
      { name: 'super-admin' },
      { toString: 'super-admin' },
      '__proto__',
      'super-admin\u0000',
    ]
    for (const [, verb] of verbs)
      for (const roleName of words)
        expect(await statusOf(verb, token, { userId, roleName }), JSON.stringify(roleName)).toBe(400)
    for (const [, verb] of verbs)
      for (const badId of [[userId], null, { id: userId }, 1])
        expect(await statusOf(verb, token, { userId: badId, roleName: 'viewer' })).toBe(400)
    expect(await statusOf(administration.assignRole, token, { userId: 'nobody', roleName: 'viewer' })).toBe(404)
    expect(await statusOf(administration.removeRole, token, { userId: 'nobody', roleName: 'viewer' })).toBe(404)
    expect(await hash()).toBe(before)
  })
})
