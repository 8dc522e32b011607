import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listEndpoints } from '#contract/index.ts'
import { listServedCalls } from '#server/app.ts'
import { createRouter } from '#server/http/router.ts'
import { engines } from '../engines.ts'
import { getCallName } from '../permission-matrix-cells.ts'
import { createPermissionWorld, type PermissionWorld } from '../permission-matrix-world.ts'
import { formatFinding, sendMalformedRequests } from './send-malformed.ts'

// quality/malformed-requests.ts sends 2,000 requests per call on each engine; here each call runs on one.
describe.each(engines.map((engine, engineIndex) => [engine, engineIndex] as const))(
  'malformed requests, on %s',
  (engine, engineIndex) => {
    let world: PermissionWorld
    beforeAll(async () => {
      world = await createPermissionWorld(engine, { fetch: async () => new Response('', { status: 401 }) })
    })
    afterAll(() => world.app.close())

    const calls = listEndpoints().filter((_, index) => index % engines.length === engineIndex)

    it('every call refuses them, names the field and leaks no secret', async () => {
      const problems: string[] = []
      for (const call of calls) {
        const { findings } = await sendMalformedRequests(world, call, { times: 4, seed: 41 })
        problems.push(...findings.map(formatFinding))
      }
      expect(problems).toEqual([])
    }, 120_000)

    it('a call that fails on some of them is reported', async () => {
      const [call] = calls.filter(({ endpoint }) => endpoint.body !== undefined && endpoint.match === undefined)
      if (!call) throw new Error('no call takes a body')
      const served = listServedCalls(world.app.services)
        .filter(({ area, name }) => area === call.area && name === call.name)
        .map((servedCall) => ({
          ...servedCall,
          handler: () => {
            throw new TypeError('planted')
          },
        }))
      const router = createRouter(world.app.services, served)
      const fetch = async (path: string, init: RequestInit) =>
        router.fetch(new Request(`http://localhost${path}`, init))
      const { findings } = await sendMalformedRequests(world, call, { times: 60, seed: 41, fetch })
      expect(findings).toContainEqual(expect.objectContaining({ call: getCallName(call), problem: 'answers 500' }))
    })
  },
)
