import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DomainRole, domainActions } from '#contract/domains/domain-actions.ts'
import { memberRoles } from '#contract/domains/domains.ts'
import type { EndpointAccess } from '#contract/endpoint.ts'
import { type EndpointEntry, listEndpoints } from '#contract/index.ts'
import { listServedCalls } from '#server/app.ts'
import { createRouter } from '#server/http/router.ts'
import { engines } from './engines.ts'
import {
  checkCall,
  createAdaSamples,
  type Fetch,
  findCellProblem,
  getCallName,
  getExpectedStatus,
  getPermissionLine,
  listCalls,
  sendAs,
} from './permission-matrix-cells.ts'
import { memberKinds } from './permission-matrix-domains.ts'
import { permissionTable } from './permission-matrix-table.ts'
import { type ActorKind, actorKinds, createPermissionWorld, type PermissionWorld } from './permission-matrix-world.ts'

it('every call has a permission line, and every line a call', () => {
  const book = listEndpoints().map(getCallName)
  const missing = listEndpoints().filter((call) => !permissionTable[getCallName(call)])
  for (const call of missing) getPermissionLine(call)
  expect(Object.keys(permissionTable).filter((name) => !book.includes(name))).toEqual([])
})

const fullExports = ['transfer.exportAll', 'ownAccount.download']

describe.each(engines)('the permission matrix, on %s', (engine) => {
  let world: PermissionWorld
  let cellCount = 0
  beforeAll(async () => {
    world = await createPermissionWorld(engine)
    await createAdaSamples(world)
    // The setup makes every call once.
  }, 300_000)
  afterAll(() => world.app.close())
  // With SQLite in the same run, PostgreSQL checks every eighth call: access is decided before any query.
  const testedCalls = listCalls()
    .filter((_, index) => engine === 'sqlite' || engines.length === 1 || index % 8 === 0)
    // First, because an export contains the samples of all earlier calls.
    .toSorted(([a], [b]) => Number(fullExports.includes(b)) - Number(fullExports.includes(a)))

  it.each(testedCalls)(
    '%s',
    async (_name, call) => {
      expect(await checkCall(world, call, { comparesRows: true, onCell: () => cellCount++ })).toEqual([])
    },
    60_000,
  )

  it('every cell was checked', () => {
    expect(cellCount).toBe(testedCalls.length * actorKinds.length)
    expect(actorKinds).toHaveLength(18)
  })

  /** The same server with weaker access for one call. */
  const createWidenedFetch = (call: EndpointEntry, access: EndpointAccess): Fetch => {
    // Other calls on the same path stay reachable: the request decides between them.
    const calls = listServedCalls(world.app.services)
      .filter(({ endpoint }) => endpoint.method === call.endpoint.method && endpoint.path === call.endpoint.path)
      .map((served) =>
        served.area === call.area && served.name === call.name
          ? { ...served, endpoint: { ...served.endpoint, access } }
          : served,
      )
    const router = createRouter(world.app.services, calls)
    return async (path, init) => {
      const headers = new Headers(init.headers)
      headers.set('host', 'localhost')
      return router.fetch(new Request(`http://localhost${path}`, { ...init, headers }))
    }
  }

  // Access is decided before any query, so one engine suffices.
  if (engine !== 'sqlite') return

  it("detects the removal of any call's access check", async () => {
    const guarded = listEndpoints().filter(({ endpoint }) => endpoint.access !== 'public')
    const unnoticed: string[] = []
    for (const call of guarded) {
      const line = getPermissionLine(call)
      const mutants: [EndpointAccess, ActorKind][] = [
        ['public', 'visitor'],
        ['public', 'revoked token'],
      ]
      if (call.endpoint.access !== 'person') mutants.push(['person', 'stranger'])
      const sample = await line.sample(world)
      for (const [access, kind] of mutants) {
        const answer = await sendAs(world, createWidenedFetch(call, access), call, kind, sample)
        if (!findCellProblem(call, kind, answer))
          unnoticed.push(`${getCallName(call)} as ${JSON.stringify(access)} for ${kind}`)
      }
    }
    expect(unnoticed).toEqual([])
    expect(guarded.length).toBeGreaterThan(20)
  }, 120_000)

  const restrictedActions = Object.entries(domainActions).filter(([, may]) =>
    memberRoles.some((role) => !(may as readonly string[]).includes(role)),
  )
  it.each(restrictedActions.map(([action]) => action))('detects that every member could use %s', async (action) => {
    const table = domainActions as Record<string, readonly DomainRole[]>
    const allowedRoles = table[action] ?? []
    table[action] = ['owner', ...memberRoles]
    try {
      for (const call of listEndpoints().filter((candidate) => getPermissionLine(candidate).members)) {
        const line = getPermissionLine(call)
        for (const kind of memberKinds.filter((candidate) => getExpectedStatus(line, candidate) === 403)) {
          const answer = await sendAs(world, world.app.fetch, call, kind, await line.sample(world))
          if (findCellProblem(call, kind, answer)) return
        }
      }
      expect.fail(`Nothing noticed that every member may ${action}`)
    } finally {
      table[action] = allowedRoles
    }
  })

  it('detects that a call requires another permission', async () => {
    for (const call of listEndpoints().filter(({ endpoint }) => typeof endpoint.access === 'object')) {
      const line = getPermissionLine(call)
      const answer = await sendAs(
        world,
        createWidenedFetch(call, { permission: 'view_logs' }),
        call,
        'support',
        await line.sample(world),
      )
      expect(findCellProblem(call, 'support', answer)).toEqual(expect.stringContaining('support'))
    }
  })
})
