import { describe, expect, it } from 'vitest'
import { connections, maxConnections } from '#contract/connections/connections.ts'
import { connectionScopes } from '#contract/connections/scopes.ts'
import { listEndpoints } from '#contract/index.ts'
import { moments } from '#contract/keepers/moments.ts'
import { dayMs } from '#server/values/time-units.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { dumpDatabase } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('personal access tokens on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true, roles: { ada: ['super-admin'] } })
  const createToken = async (body: object = {}) =>
    (await ada.call(connections.createToken, { body: { name: 'Script', scopes: ['capture'], ...body } })).data
  const capture = async (token: string, keeperId: string, headers: object = {}) => {
    const response = await app.fetch(moments.create.path.replace(':id', keeperId), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ body: 'From a script.' }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const listConnections = async (actor = ada) => (await actor.call(connections.list)).data

  it('are shown once and stored as a hash', async () => {
    const { token, connection } = await createToken({ purpose: 'Diary of my editor' })
    expect(token).toMatch(/^keeper_pat_[\w-]{43}$/)
    expect(connection).toMatchObject({
      name: 'Script',
      kind: 'token',
      scopes: ['capture'],
      keeperIds: null,
      hint: token.slice(-4),
      lastUsedAt: null,
      purpose: 'Diary of my editor',
    })
    expect(Date.parse(connection.expiresAt ?? '') - Date.parse(connection.createdAt)).toBe(90 * dayMs)
    expect(await listConnections()).toEqual([connection])
    expect(await listConnections(ben)).toEqual([])
    expect(JSON.stringify(await dumpDatabase(app.services.db))).not.toContain(token.slice(11))
    expect(app.logLines.join()).not.toContain(token.slice(11))
  })

  it('write in the keepers they are for, until they are revoked', async () => {
    const [first, second] = [await createTestKeeper(ada), await createTestKeeper(ada, { title: 'Second' })]
    const { token, connection } = await createToken({ keeperIds: [first.id] })
    expect((await capture(token, first.id)).status).toBe(200)
    expect(await capture(token, second.id)).toMatchObject({ status: 403, body: { code: 'scope-missing' } })
    expect((await listConnections())[0]?.lastUsedAt).toEqual(expect.any(String))
    expect((await ben.call(connections.revoke, { params: { id: connection.id } })).status).toBe(404)
    await ada.call(connections.update, { params: { id: connection.id }, body: { keeperIds: [second.id] } })
    expect((await capture(token, first.id)).status, 'at once').toBe(403)
    expect((await capture(token, second.id)).status).toBe(200)
    await ada.call(connections.revoke, { params: { id: connection.id } })
    const today = app.services.now().toISOString().slice(0, 10)
    expect(await capture(token, second.id)).toMatchObject({
      status: 401,
      body: {
        code: 'not-signed-in',
        error: `The person revoked this program’s access to Keeper on ${today}. Ask them before you connect it again.`,
      },
    })
    expect((await listConnections())[0]?.revokedAt).toEqual(expect.any(String))
    const update = { params: { id: connection.id }, body: { name: 'Again' } }
    expect((await ada.call(connections.update, update)).status).toBe(409)
  })

  it('end on their day, and with the account', async () => {
    const keeper = await createTestKeeper(ada)
    const { token } = await createToken({ expiresInDays: 2 })
    const { token: endlessToken, connection } = await createToken({ expiresInDays: null })
    expect(connection.expiresAt).toBeNull()
    app.passTime(2 * dayMs - 1000)
    expect((await capture(token, keeper.id)).status).toBe(200)
    app.passTime(2000)
    expect((await capture(token, keeper.id)).body.error).toMatch(
      /^The access to Keeper that the person agreed to ended on \d{4}-\d\d-\d\d\. Ask them to connect this program again\.$/,
    )
    expect((await capture(token, keeper.id)).status).toBe(401)
    expect((await capture(endlessToken, keeper.id)).status).toBe(200)
    await app.services.db.updateTable('people').set({ deactivated_at: 1 }).where('id', '=', ada.id).execute()
    app.services.sessions.evictPerson(ada.id)
    expect((await capture(endlessToken, keeper.id)).status).toBe(401)
  })

  it('a token with every scope can make no other call, even of an admin', async () => {
    const { token } = await createToken({ scopes: [...connectionScopes] })
    // The first call saves when the token was used.
    await capture(token, 'x')
    const previousDump = await dumpDatabase(app.services.db)
    const refused = listEndpoints().filter(({ endpoint }) => endpoint.scope === undefined)
    for (const { area, name, endpoint } of refused) {
      const query = Object.entries(endpoint.match?.query ?? {}).map(([key, value]) => [
        key,
        value === '*' ? 'x' : value,
      ])
      const path = endpoint.path.replaceAll(/:\w+/g, 'x')
      const response = await app.fetch(query.length > 0 ? `${path}?${new URLSearchParams(query)}` : path, {
        method: endpoint.method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(endpoint.body && { body: JSON.stringify(endpoint.match?.body ?? {}) }),
      })
      const { code, error } = JSON.parse(await response.text())
      // Under /api/kam/auth/ the code is in the error.
      expect({ call: `${area}.${name}`, code: code ?? error.code }).toMatchObject({ code: 'scope-missing' })
    }
    expect(await dumpDatabase(app.services.db)).toEqual(previousDump)
    expect(refused.length).toBeGreaterThan(300)
  })

  it('are refused for other people’s keepers and beyond the limit', async () => {
    const keeper = await createTestKeeper(ben)
    const foreign = await ada.call(connections.createToken, {
      body: { name: 'Script', scopes: ['capture'], keeperIds: [keeper.id] },
    })
    expect(foreign).toMatchObject({ status: 400, body: { fields: { keeperIds: 'Choose your own keepers.' } } })
    for (const scopes of [[], ['approve:memory'], 'capture'])
      expect((await ada.call(connections.createToken, { body: { name: 'Script', scopes } })).status).toBe(400)
    for (let count = 0; count < maxConnections; count += 1) await createToken()
    const { status } = await ada.call(connections.createToken, { body: { name: 'Script', scopes: ['capture'] } })
    expect(status).toBe(422)
  })
})
