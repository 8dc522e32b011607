import { domains } from '#contract/domains/domains.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { listAllDomains, listDomains } from './list-domains.ts'
import { acceptOwnMembership, addMember, changeMember, listMembers, removeMember } from './members/members.ts'
import { searchPeople } from './people/search-people.ts'
import { createDomain, removeDomain, setPrimaryDomain, updateDomain } from './save-domain.ts'
import { setCustomDomain } from './set-custom-domain.ts'
import { transferDomain } from './transfer-domain.ts'

export function domainRoutes(services: Services): ServedCall[] {
  return serveArea('domains', domains, {
    mine: ({ person }) => listDomains(services, person),
    all: ({ person, query }) => listAllDomains(services, person, query),
    create: ({ person, body }) => createDomain(services, person, body),
    update: ({ person, params, body, ifMatch }) => updateDomain(services, person, params.id, body, ifMatch),
    setCustomDomain: ({ person, params, body, ifMatch }) =>
      setCustomDomain(services, person, params.id, body.customDomain, ifMatch),
    remove: ({ person, params }) => removeDomain(services, person, params.id),
    makePrimary: ({ person, params }) => setPrimaryDomain(services, person, params.id),
    transfer: ({ person, params, body }) => transferDomain(services, person, params.id, body.userId),
    members: ({ person, params, query }) => listMembers(services, person, params.id, query.after),
    addMember: ({ person, params, body }) => addMember(services, person, params.id, body),
    agree: ({ person, params }) => acceptOwnMembership(services, person, params.id),
    changeMember: ({ person, params, body }) => changeMember(services, person, params, body.role),
    removeMember: ({ person, params }) => removeMember(services, person, params),
    searchPeople: ({ person, query }) => searchPeople(services, person, query.query),
  })
}
