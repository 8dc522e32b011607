import * as z from 'zod/mini'
import { type EndpointEntry, listEndpoints } from '#contract/index.ts'
import { listServedCalls } from '#server/app.ts'
import { createRouter } from '#server/http/router.ts'
import { getCallName } from '../permission-matrix-cells.ts'
import type { PermissionWorld } from '../permission-matrix-world.ts'

/** Plants a call that takes a list without a maximum. */
export function plantUnboundedList(world: PermissionWorld): {
  call: EndpointEntry
  fetch(path: string, init: RequestInit): Promise<Response>
} {
  const original = listEndpoints().find((call) => getCallName(call) === 'agents.create')
  if (!original) throw new Error('agents.create no longer exists')
  const item = z.object({ id: z.string(), mime: z.string(), bytes: z.number(), sha256: z.string() })
  const endpoint = { ...original.endpoint, body: z.object({ planted: z.array(item) }) }
  const served = listServedCalls(world.app.services)
    .filter((call) => call.area === original.area && call.name === original.name)
    .map((call) => ({ ...call, endpoint }))
  const router = createRouter(world.app.services, served)
  return {
    call: { ...original, endpoint },
    fetch: async (path, init) => router.fetch(new Request(`http://localhost${path}`, init)),
  }
}
