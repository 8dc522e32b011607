import { people } from '#contract/domains/people.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function peopleRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('people', people)
}
