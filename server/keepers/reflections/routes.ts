import { reflections } from '#contract/keepers/reflections.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { trashEntry } from '../entries/trash-entry.ts'
import { MemoryConsent } from '../memory-checks/memory-check.ts'
import { listReflections, suggestReflections, toReflectionWithCard } from './list-reflections.ts'
import { promoteReflection } from './promote-reflection.ts'
import { createReflection, setResting, updateReflection } from './save-reflection.ts'

export function reflectionRoutes(services: Services): ServedCall[] {
  return serveArea('reflections', reflections, {
    list: ({ person, params, query }) => listReflections(services, person, params.id, query),
    suggestions: ({ person, params }) => suggestReflections(services, person, params.id),
    show: async ({ person, params }) =>
      toReflectionWithCard(services, await requireEntryFor(services, person, 'reflection', params.id)),
    create: ({ person, params, body }) => createReflection(services, person, params.id, body),
    update: ({ person, params, body, ifMatch }) =>
      updateReflection(services, person, { id: params.id, ifMatch, changes: body }),
    remove: ({ person, params }) => trashEntry(services, person, 'reflection', params.id),
    async promote({ person, params, body, ifMatch }) {
      const consent = new MemoryConsent(services, person, body.goldenCheck)
      return consent.toReply(await promoteReflection(services, person, { id: params.id, ifMatch, consent }))
    },
    rest: ({ person, params, body }) => setResting(services, person, params.id, body.rest ?? true),
  })
}
