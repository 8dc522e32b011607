import { sampleKeeper } from '#contract/keepers/sample-keeper.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { createSample, removeSample } from './create-sample.ts'

export function sampleKeeperRoutes(services: Services): ServedCall[] {
  return serveArea('sampleKeeper', sampleKeeper, {
    make: ({ person, body }) => createSample(services, person, body.timezone),
    remove: ({ person }) => removeSample(services, person),
  })
}
