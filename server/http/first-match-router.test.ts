import { expect, test } from 'vitest'
import { FirstMatchRouter } from './first-match-router.ts'

function routerOf(...added: [method: string, path: string][]): FirstMatchRouter<string> {
  const router = new FirstMatchRouter<string>()
  for (const [method, path] of added) router.add(method, path, `${method} ${path}`)
  return router
}
const found = (router: FirstMatchRouter<string>, method: string, path: string) =>
  router.match(method, path)[0].map(([handler, values]) => [handler, { ...values }])

test('of the addresses that fit the one that was added first answers, also the second time', () => {
  const router = routerOf(['GET', '/agents/:id'], ['GET', '/agents/mine'], ['POST', '/agents/mine'], ['ALL', '*'])
  for (let time = 0; time < 2; time++) {
    expect(found(router, 'GET', '/agents/mine')).toEqual([['GET /agents/:id', { id: 'mine' }]])
    expect(found(router, 'POST', '/agents/mine')).toEqual([['POST /agents/mine', {}]])
    expect(found(router, 'DELETE', '/agents/mine')).toEqual([['ALL *', {}]])
    expect(found(router, 'GET', '/agents/other')).toEqual([['GET /agents/:id', { id: 'other' }]])
    expect(found(router, 'GET', '/nothing/here')).toEqual([['ALL *', {}]])
  }
})

test('an address that is added after it was asked for is found', () => {
  const router = routerOf(['POST', '/agents'], ['ALL', '*'])
  expect(found(router, 'GET', '/agents')).toEqual([['ALL *', {}]])
  const later = routerOf(['POST', '/agents'])
  expect(found(later, 'GET', '/agents')).toEqual([])
  later.add('GET', '/agents', 'later')
  expect(found(later, 'GET', '/agents')).toEqual([['later', {}]])
})
