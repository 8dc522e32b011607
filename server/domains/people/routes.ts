import { people } from '#contract/domains/people.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { listDomainActivity, listPeople } from './list-people.ts'
import { updatePerson } from './update-person.ts'

export function peopleRoutes(services: Services): ServedCall[] {
  return serveArea('people', people, {
    list: ({ person, query }) => listPeople(services, person, query),
    update: ({ person, params, body }) => updatePerson(services, person, params.id, body),
    activity: ({ person, params, query }) => listDomainActivity(services, person, params.id, query),
  })
}
