import { expect, test } from 'vitest'
import { RouteTable } from './route-table.ts'

const failed = (thrown: unknown) => new Response((thrown as Error).message, { status: 500 })

function createRouteTable(...added: [method: string, path: string][]): RouteTable {
  const addresses = new RouteTable(failed)
  for (const [method, path] of added)
    addresses.onCall(method, path, ({ params, path: request }) => Response.json([`${method} ${path}`, params, request]))
  return addresses
}

async function answer(addresses: RouteTable, method: string, path: string): Promise<unknown> {
  const answered = await addresses.fetch(new Request(`http://localhost${path}`, { method }))
  return answered.status === 404 ? null : answered.json()
}

test('the first added match wins, also the second time', async () => {
  const addresses = createRouteTable(
    ['GET', '/agents/:id'],
    ['GET', '/agents/mine'],
    ['POST', '/agents/mine'],
    ['ALL', '*'],
  )
  for (let time = 0; time < 2; time++) {
    expect(await answer(addresses, 'GET', '/agents/mine?x=1')).toEqual([
      'GET /agents/:id',
      { id: 'mine' },
      '/agents/mine',
    ])
    expect(await answer(addresses, 'POST', '/agents/mine')).toEqual(['POST /agents/mine', {}, '/agents/mine'])
    expect(await answer(addresses, 'DELETE', '/agents/mine')).toEqual(['ALL *', {}, '/agents/mine'])
    expect(await answer(addresses, 'GET', '/agents/other')).toEqual([
      'GET /agents/:id',
      { id: 'other' },
      '/agents/other',
    ])
    expect(await answer(addresses, 'GET', '/nothing/here')).toEqual(['ALL *', {}, '/nothing/here'])
  }
})

test('an address added after a lookup is found', async () => {
  const addresses = createRouteTable(['POST', '/agents'])
  expect(await answer(addresses, 'GET', '/agents')).toBeNull()
  addresses.onCall('GET', '/agents', () => Response.json('later'))
  expect(await answer(addresses, 'GET', '/agents')).toBe('later')
})

test('path parameters are decoded; invalid encodings stay unchanged', async () => {
  const addresses = createRouteTable(['GET', '/cards/:id/:part'])
  const request = async (path: string) => ((await answer(addresses, 'GET', path)) as unknown[])[1]
  expect(await request('/cards/a%20b%2Fc/caf%C3%A9')).toEqual({ id: 'a b/c', part: 'café' })
  expect(await request('/cards/100%/%FF')).toEqual({ id: '100%', part: '%FF' })
})

test('HEAD is answered like GET without a body, and by no other method', async () => {
  const addresses = new RouteTable(failed)
  addresses.on(
    'GET',
    '/agents',
    ({ request }) => new Response('all of them', { headers: { 'x-asked': request.method } }),
  )
  addresses.onCall('POST', '/made', () => new Response('made'))
  const head = await addresses.fetch(new Request('http://localhost/agents', { method: 'HEAD' }))
  expect({ status: head.status, xAsked: head.headers.get('x-asked'), head: await head.text() }).toEqual({
    status: 200,
    xAsked: 'HEAD',
    head: '',
  })
  expect((await addresses.fetch(new Request('http://localhost/made', { method: 'HEAD' }))).status).toBe(404)
})

test('errors of handlers, sync or async, go to the error handler', async () => {
  const addresses = new RouteTable(failed)
  addresses.on('GET', '/now', () => {
    throw new Error('at once')
  })
  addresses.on('GET', '/later', () => Promise.reject(new Error('later')))
  for (const [path, response] of [
    ['/now', 'at once'],
    ['/later', 'later'],
  ]) {
    const answered = await addresses.fetch(new Request(`http://localhost${path}`))
    expect({ status: answered.status, answered: await answered.text() }).toEqual({ status: 500, answered: response })
  }
})
