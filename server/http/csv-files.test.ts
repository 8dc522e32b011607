import { expect, it } from 'vitest'
import { listEndpoints } from '#contract/index.ts'
import { engines } from '#tests/engines.ts'
import { createTestApp } from '#tests/test-app.ts'

it('every CSV file begins with a byte order mark', async () => {
  const app = await createTestApp(engines[0] ?? 'sqlite')
  const admin = await app.as('cleo', ['super-admin'])
  const paths = listEndpoints()
    .filter(({ endpoint }) => endpoint.method === 'GET' && !endpoint.path.includes(':'))
    .map(({ endpoint }) => endpoint.path)
    .filter((path) => path.endsWith('/export'))
  const firstBytes: Record<string, string> = {}
  for (const path of paths) {
    const response = await admin.fetch(path)
    const bytes = Buffer.from(await response.arrayBuffer())
    if (response.headers.get('content-type')?.startsWith('text/csv'))
      firstBytes[path] = bytes.subarray(0, 3).toString('hex')
  }
  expect(firstBytes).toEqual({
    '/api/admin/audit/export': 'efbbbf',
    '/api/kip/logs/export': 'efbbbf',
    '/api/kip/usage/export': 'efbbbf',
  })
  await app.close()
})
