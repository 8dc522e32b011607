import { expect, it } from 'vitest'
import { rolePermissions } from '#contract/accounts/role-permissions.ts'
import { appPathSegments } from '#contract/agents/agent-slug.ts'
import { permissions } from '#contract/endpoint.ts'
import { listEndpoints } from '#contract/index.ts'
import { problems } from '#contract/problems.ts'
import { themes } from '#contract/themes/themes.ts'
import { getCallName, getFieldNames } from './permission-matrix-cells.ts'
import { createTestApp, toRequest } from './test-app.ts'

const book = listEndpoints()

it('every call declares its access, summary, method and path', () => {
  for (const call of book) {
    const { access, summary, method, path } = call.endpoint
    expect(access, getCallName(call)).toBeDefined()
    if (typeof access === 'object') expect(permissions, getCallName(call)).toContain(access.permission)
    else expect(['public', 'person'], getCallName(call)).toContain(access)
    expect(summary.length, getCallName(call)).toBeGreaterThan(8)
    expect(method).toMatch(/^(GET|POST|PUT|PATCH|DELETE)$/)
    expect(path).toMatch(/^\/[a-z][\w:/.-]*$/)
    for (const [, parameter = ''] of path.matchAll(/:(\w+)/g))
      expect(getFieldNames(call.endpoint.params), getCallName(call)).toContain(parameter)
  }
})

it('only these calls are public', () => {
  expect(book.filter(({ endpoint }) => endpoint.access === 'public').map(getCallName)).toEqual([
    'accounts.login',
    'accounts.completeSignIn',
    'accounts.register',
    'accounts.requestPasswordReset',
    'accounts.completePasswordReset',
    'passkeySignIns.options',
    'passkeySignIns.finish',
    'oidc.provider',
    'oidc.start',
    'oidc.complete',
    'customDomains.site',
    'invitations.look',
    'agents.bySlug',
    'agents.sessions',
    'agents.messages',
    'agents.run',
    'agents.createSession',
    'runs.stream',
    'runs.stop',
    'runs.audio',
    'chat.rename',
    'chat.remove',
    'chat.showBranch',
    'boardSharing.openLinked',
    'boardSharing.linkedPicture',
    'themes.list',
    'themes.show',
    'diagnostics.ping',
    'diagnostics.health',
    'diagnostics.facts',
    'diagnostics.platformStatus',
  ])
})

it('no two calls on one path match the same request', () => {
  const addresses = Map.groupBy(book, ({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
  for (const [address, calls] of addresses) {
    const conditions = calls.map(({ endpoint }) => JSON.stringify(endpoint.match ?? null))
    expect(new Set(conditions).size, address).toBe(conditions.length)
  }
})

it('every call that is not public refuses a visitor', async () => {
  const app = await createTestApp('sqlite')
  for (const call of book.filter(({ endpoint }) => endpoint.access !== 'public')) {
    const requiredQuery = Object.entries(call.endpoint.match?.query ?? {}).filter(([, value]) => value === '*')
    const query = Object.fromEntries(requiredQuery.map(([name]) => [name, 'x']))
    const { status, body } = await app.visitor().call(call.endpoint, { query })
    expect({ callName: getCallName(call), status, code: body.code }).toEqual({
      callName: getCallName(call),
      status: 401,
      code: 'not-signed-in',
    })
  }
  await app.close()
})

it('every call takes each parameter once, as a scalar', async () => {
  const app = await createTestApp('sqlite')
  const ada = await app.as('ada', ['super-admin'])
  let parameterCount = 0
  for (const call of book) {
    const { path, init } = toRequest(call.endpoint)
    const names = getFieldNames(call.endpoint.query)
    for (const name of new Set([...names, ...Object.keys(call.endpoint.match?.query ?? {}), 'userId'])) {
      const repeatedPath = `${path}${path.includes('?') ? '&' : '?'}${name}=a&${name}=b`
      const response = await ada.fetch(repeatedPath, init)
      const { fields } = (await response.json()) as { fields?: object }
      expect({ callName: getCallName(call), status: response.status, fields: Object.keys(fields ?? {}) }).toEqual({
        callName: getCallName(call),
        status: 400,
        fields: [name],
      })
      parameterCount++
    }
    const shape = (call.endpoint.body as { shape?: Record<string, unknown> } | undefined)?.shape ?? {}
    if (call.endpoint.match?.body || Object.keys(shape).length === 0) continue
    const lists = JSON.stringify(Object.fromEntries(Object.keys(shape).map((name) => [name, [[['x']]]])))
    const response = await ada.fetch(path, { ...init, body: lists })
    expect({ callName: getCallName(call), status: response.status }, lists).toEqual({
      callName: getCallName(call),
      status: 400,
    })
    await response.text()
  }
  expect(parameterCount).toBeGreaterThan(book.length)
  await app.close()
})

it('agents and domains cannot take the first segment of a route', () => {
  for (const call of book) expect(appPathSegments, getCallName(call)).toContain(call.endpoint.path.split('/')[1])
})

it('every problem has an error status and a full sentence as its text', () => {
  for (const [code, { status, text }] of Object.entries(problems)) {
    expect(status, code).toBeGreaterThanOrEqual(400)
    expect(text, code).toMatch(/[.]$/)
  }
})

it('roles grant registered permissions; only a super-admin manages roles and keys', () => {
  for (const [role, { implemented, needed }] of Object.entries(rolePermissions)) {
    for (const permission of [...implemented, ...needed]) expect(permissions).toContain(permission)
    for (const superAdminPermission of ['manage_platform_roles', 'manage_api_keys', 'system_configuration'] as const)
      expect({ role, implemented: implemented.includes(superAdminPermission) }).toEqual({
        role,
        implemented: role === 'super-admin',
      })
  }
})

it('the contract lists every theme that has a design', async () => {
  const app = await createTestApp('sqlite')
  const { data } = await app.visitor().call(themes.list)
  expect(data.length).toBe(5)
  for (const theme of data)
    expect((await app.visitor().call(themes.show, { params: { themeId: theme.slug } })).data).toEqual(theme)
  expect((await app.visitor().call(themes.show, { params: { themeId: 'none' } })).status).toBe(404)
  await app.close()
})
