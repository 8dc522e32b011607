import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { platformRoles } from '#contract/accounts/accounts.ts'
import { administration } from '#contract/administration/administration.ts'
import { computeDatabaseHash } from './dump-database.ts'
import { engines } from './engines.ts'
import { actorKinds, createPermissionWorld, type PermissionWorld } from './permission-matrix-world.ts'
import { toRequest } from './test-app.ts'

const roleCalls = [
  ['POST', administration.assignRole],
  ['DELETE', administration.removeRole],
] as const
const signedOutKinds = ['visitor', 'revoked token', 'expired token', 'deactivated']

describe.each(engines)('granting and revoking platform roles, on %s', (engine) => {
  let world: PermissionWorld
  beforeAll(async () => {
    world = await createPermissionWorld(engine)
  })
  afterAll(() => world.app.close())

  const requestStatus = async (roleCall: (typeof roleCalls)[number][1], token: string | null, body: object) => {
    const { path, init } = toRequest(roleCall, { body })
    const headers = { ...(init.headers as Record<string, string>), ...(token && { authorization: `Bearer ${token}` }) }
    const response = await world.app.fetch(path, { ...init, headers })
    await response.text()
    return response.status
  }
  const hashDatabase = () => computeDatabaseHash(world.app.services.db, ['throttle_windows'])

  it('only a super-admin grants and revokes roles, for anyone', async () => {
    const problems: string[] = []
    let cellCount = 0
    const otherId = await world.createUnprivilegedPerson()
    for (const kind of actorKinds) {
      const token = await world.createToken(kind)
      const actorId = world.getActorId(kind)
      const previousHash = await hashDatabase()
      for (const [method, roleCall] of roleCalls) {
        for (const roleName of platformRoles) {
          for (const userId of [otherId, actorId ?? otherId]) {
            const status = await requestStatus(roleCall, token, { userId, roleName })
            const isLastSuperAdmin = userId === actorId && roleName === 'super-admin' && method === 'DELETE'
            const allowed = isLastSuperAdmin ? 409 : 200
            const refused = signedOutKinds.includes(kind) ? 401 : 403
            const expected = kind === 'super-admin' ? allowed : refused
            if (status !== expected)
              problems.push(
                `${kind}, ${method} ${roleName} for ${userId === actorId ? 'themselves' : 'another'}: ${status}`,
              )
            cellCount++
          }
        }
      }
      if (kind !== 'super-admin' && (await hashDatabase()) !== previousHash) problems.push(`${kind} changed something`)
    }
    expect(problems).toEqual([])
    expect(cellCount, 'as docs/promises.md says').toBe(504)
  })

  it('refuses invalid role names and user ids without effect', async () => {
    const token = await world.createToken('super-admin')
    const userId = await world.createUnprivilegedPerson()
    const previousHash = await hashDatabase()
    const invalidRoles: unknown[] = [
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
    for (const [, roleCall] of roleCalls)
      for (const roleName of invalidRoles)
        expect(await requestStatus(roleCall, token, { userId, roleName }), JSON.stringify(roleName)).toBe(400)
    for (const [, roleCall] of roleCalls)
      for (const badId of [[userId], null, { id: userId }, 1])
        expect(await requestStatus(roleCall, token, { userId: badId, roleName: 'viewer' })).toBe(400)
    expect(await requestStatus(administration.assignRole, token, { userId: 'nobody', roleName: 'viewer' })).toBe(404)
    expect(await requestStatus(administration.removeRole, token, { userId: 'nobody', roleName: 'viewer' })).toBe(404)
    expect(await hashDatabase()).toBe(previousHash)
  })
})
