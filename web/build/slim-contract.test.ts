import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'
import { expect, it } from 'vitest'
import { moments } from '#contract/keepers/moments.ts'
import { slimContract } from './slim-contract.ts'

async function slim(code: string, file = '/keeper/contract/domains/domains.ts'): Promise<string | null> {
  const { transform } = slimContract() as unknown as {
    transform(this: { parse: typeof parseAst }, code: string, id: string): Promise<{ code: string } | null>
  }
  return (await transform.call({ parse: parseAst }, code, file))?.code ?? null
}

const source = `
const name = z.string().check(z.trim())
export const domains = {
  mine: defineEndpoint('GET /api/domains/my', {
    summary: 'One, (two), { three }',
    access: { permission: 'manage_domains' },
    query: z.object({ search: name }),
    response: z.array(domain),
    responseFormat: 'bare',
  }),
  create: defineEndpoint('POST /api/domains', { summary: 's', body: z.object({ name }), response: domain, supportsIdempotencyKey: true }),
}
export const rows = ['a']
export function requested() {
  return { summary: 'kept', response: 1 }
}
`

it('a page bundle has only the request part of an endpoint', async () => {
  const text = (await slim(source)) ?? ''
  for (const removed of ['One, (two)', 'permission', 'search', 'z.array(domain)', 'body'])
    expect(text).not.toContain(removed)
  for (const expected of [
    "'GET /api/domains/my'",
    "responseFormat: 'bare'",
    'supportsIdempotencyKey: true',
    "summary: 'kept'",
    "['a']",
  ])
    expect(text).toContain(expected)
  const defineEndpoint = (address: string, more: object) => ({ address, ...more })
  const value = new Function('z', 'defineEndpoint', 'domain', `${text.replaceAll('export ', '')}; return domains`)
  expect(value({ string: () => ({ check: () => 0 }), trim: () => 0 }, defineEndpoint, 0)).toEqual({
    mine: { address: 'GET /api/domains/my', responseFormat: 'bare' },
    create: { address: 'POST /api/domains', supportsIdempotencyKey: true },
  })
})

it('an offline write keeps only the field names of its body', async () => {
  const file = fileURLToPath(import.meta.resolve('../../contract/keepers/moments.ts'))
  const fullText = stripTypeScriptTypes(readFileSync(file, 'utf8'))
  const text = (await slim(fullText, file)) ?? ''
  expect(fullText).toContain('body: ')
  const bodies = [...text.matchAll(/body: (\{"shape".*\}),$/gm)].map(
    ([, body = '']) => JSON.parse(body) as { shape: object },
  )
  const endpointsWithBody = Object.values(moments).filter(({ body }) => body)
  expect(bodies.map(({ shape }) => Object.keys(shape))).toEqual(
    endpointsWithBody.map(({ body }) => Object.keys((body as unknown as { shape: object }).shape)),
  )
})

it('an unused schema can be dropped, other files stay unchanged', async () => {
  expect(await slim(source)).toContain('const name = /*@__PURE__*/ (() => (z.string().check(z.trim())))()')
  expect(await slim(source, '/keeper/web/api.ts')).toBeNull()
})
