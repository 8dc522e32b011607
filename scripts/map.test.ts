import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineEndpoint } from '#contract/endpoint.ts'
import { root } from './fingerprint.ts'
import { findCallsOutsideContract, findPages, mapCalls } from './map.ts'

test('a page is mapped to its path and its file', () => {
  const routes = `const Bin = lazyPage(() => import('./keepers/bin-page.tsx').then((m) => m.Bin))
const Dev =
  import.meta.env.DEV && lazyPage(() => import('./dev-page.tsx').then((m) => m.Dev))
const Types = lazyPage(() =>
  import('./types-page.tsx').then((m) => m.Types),
)
        {Dev && <Route path="/dev" element={<Dev />} />}
        <Route path="/bin" element={<Bin />} />
        <Route path="/old" element={<Navigate to="/bin" replace />} />
        <Route path="/types" element={<Types />} />`
  expect(findPages(routes)).toEqual([
    ['PAGE', '/dev', 'web/dev-page.tsx'],
    ['PAGE', '/bin', 'web/keepers/bin-page.tsx'],
    ['PAGE', '/old', '→ /bin'],
    ['PAGE', '/types', 'web/types-page.tsx'],
  ])
  const all = findPages(readFileSync(join(root, 'web/routes.tsx'), 'utf8'))
  expect(all.length).toBeGreaterThan(60)
  expect(all.filter(([, , file = '']) => !file.startsWith('→') && !existsSync(join(root, file)))).toEqual([])
})

test('a call is mapped to its path, its access and its handler', () => {
  const run = defineEndpoint('POST /api/agents', {
    summary: 'Runs',
    access: 'person',
    match: { query: { id: '*' }, body: { action: 'run' } },
    response: z.string(),
  })
  const routes = {
    path: 'server/agents/routes.ts',
    source: "serveArea('agents', agents, {\n  list: () => [],\n  run: () => 'x',\n})",
  }
  expect(mapCalls([{ area: 'agents', name: 'run', endpoint: run as never }], [routes])).toEqual([
    ['POST', '/api/agents?id {action=run}', 'person', 'agents.run', 'server/agents/routes.ts:3'],
  ])
})

test('a call outside the contract is mapped to its line in the app', () => {
  const app = "x\n  mainRouter.get('/api/openapi.json', () => {\n  mainRouter.notFound(() => {"
  expect(findCallsOutsideContract(app)).toEqual([
    ['GET', '/api/openapi.json', 'public', 'not in the contract', 'server/app.ts:2'],
  ])
  const all = findCallsOutsideContract(readFileSync(join(root, 'server/app.ts'), 'utf8'))
  expect(all.map(([, path]) => path)).toEqual([
    '/api/openapi.json',
    '/v1/models',
    '/v1/models/:slug',
    '/v1/chat/completions',
    '/oauth/token',
    '/oauth/revoke',
    '/oauth/register',
    '/api/kam/auth/oidc/back-channel-logout',
    '/metrics',
    '/api/internal/tls-ask',
  ])
})
