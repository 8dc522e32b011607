import { listEndpoints } from '../../contract/index.ts'
import { keeperMedia } from '../../contract/keepers/media.ts'
import { permissionTable } from '../../tests/permission-matrix-table.ts'
import type { PermissionWorld } from '../../tests/permission-matrix-world.ts'
import { toRequest } from '../../tests/test-app.ts'
import { expectedPolicy } from './rate-policy.ts'

// Written by hand, independently of the implementation.
const expectedHeaders: Record<string, RegExp> = {
  'content-security-policy': /./,
  'x-content-type-options': /^nosniff$/,
  'strict-transport-security': /^max-age=31536000; includeSubDomains$/,
  'referrer-policy': /^no-referrer$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'permissions-policy': /(?=.*camera=\(\))(?=.*payment=\(\))(?=.*usb=\(\))/,
}
const expectedPolicyText = Object.entries(expectedPolicy)
  .map(([name, value]) => `${name} ${value}`)
  .join('; ')

export function findLackingHeaders(url: string, headers: Record<string, string | undefined>): string[] {
  const lacking = Object.entries(expectedHeaders).flatMap(([name, value]) =>
    value.test(headers[name] ?? '') ? [] : [name],
  )
  if (headers['content-security-policy'] !== expectedPolicyText) lacking.push('different policy')
  if (new URL(url).pathname.startsWith('/api/') && headers['cache-control'] !== 'no-store') lacking.push('no-store')
  for (const name of Object.keys(headers)) {
    if (name.startsWith('access-control-')) lacking.push(`lets others read: ${name}`)
    if (name === 'x-powered-by' || name === 'server') lacking.push(`reveals ${name}`)
  }
  return lacking
}

export interface HeaderMatrix {
  requests: number
  statuses: Record<number, number>
  lacking: string[]
}

export async function requestAllEndpoints(world: PermissionWorld, url: string): Promise<HeaderMatrix> {
  const outcome: HeaderMatrix = { requests: 0, statuses: {}, lacking: [] }
  const send = async (label: string, path: string, init: RequestInit) => {
    const response = await fetch(`${url}${path}`, { ...init, redirect: 'manual' })
    await response.body?.cancel()
    outcome.requests++
    outcome.statuses[response.status] = (outcome.statuses[response.status] ?? 0) + 1
    for (const lackingHeader of findLackingHeaders(`${url}${path}`, Object.fromEntries(response.headers)))
      outcome.lacking.push(`${label} ${response.status}: ${lackingHeader}`)
  }
  const { db } = world.app.services
  for (const { area, name, endpoint } of listEndpoints()) {
    const tableEntry = permissionTable[`${area}.${name}`]
    for (const actor of ['visitor', 'stranger', 'owner', 'super-admin'] as const) {
      await db.deleteFrom('throttle_windows').execute()
      const sample = (await tableEntry?.sample(world)) ?? {}
      const token = await world.createToken(actor)
      const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
      const { path, init } = toRequest(endpoint, { ...sample, headers })
      await send(`${area}.${name} as ${actor}`, path, init)
    }
    await send(`${area}.${name} with a broken body`, toRequest(endpoint).path, {
      method: endpoint.method === 'GET' ? 'POST' : endpoint.method,
      headers: { 'content-type': 'application/json' },
      body: '{"a":',
    })
  }
  const token = await world.createToken('owner')
  const authorization = `Bearer ${token}`
  const { path: mediaPath } = toRequest(keeperMedia.bytes, { params: { id: await world.createMedia() } })
  for (const range of ['', 'bytes=0-3', 'bytes=999-', 'bytes=-0', 'nonsense'])
    await send(`a file, range ${range}`, mediaPath, { headers: { authorization, ...(range && { range }) } })
  const largeBody = `"${'x'.repeat(1_200_000)}"`
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])
    for (const path of [
      '/api',
      '/api/nothing',
      '/api/keeper/keepers/x/y/z',
      '/nothing',
      '/assets/none.js',
      '/%00',
      '/..%2f..%2fetc',
    ])
      await send(`${method} ${path}`, path, { method })
  await send('a body that is too large', '/api/kip/agents', {
    method: 'POST',
    body: largeBody,
    headers: { authorization, 'content-type': 'application/json' },
  })
  await send('a body of another kind', '/api/kip/agents', {
    method: 'POST',
    body: 'a=b',
    headers: { authorization, 'content-type': 'text/plain' },
  })
  for (const path of [
    '/',
    '/login',
    '/register',
    '/kip',
    '/root',
    '/index.html',
    '/sw.js',
    '/manifest.webmanifest',
    '/icon.svg',
    '/favicon.ico',
    '/robots.txt',
    '/llms.txt',
    '/docs/privacy.md',
    '/health',
    '/api/openapi.json',
    '/.well-known/security.txt',
  ])
    for (const encoding of ['identity', 'br', 'gzip'])
      await send(`${path} as ${encoding}`, path, { headers: { 'accept-encoding': encoding } })
  return outcome
}
