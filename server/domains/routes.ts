import { domains } from '#contract/domains/domains.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { createDomain } from './create-domain.ts'
import { listAllDomains } from './list-all-domains.ts'
import { listDomains } from './list-domains.ts'
import { addMember } from './members/add-member.ts'
import { acceptOwnMembership } from './members/agree-to-membership.ts'
import { changeMember } from './members/change-member.ts'
import { listMembers } from './members/list-members.ts'
import { removeMember } from './members/remove-member.ts'
import { searchPeople } from './people/search-people.ts'
import { removeDomain } from './remove-domain.ts'
import { setCustomDomain } from './set-custom-domain.ts'
import { setPrimaryDomain } from './set-primary-domain.ts'
import { transferDomain } from './transfer-domain.ts'
import { updateDomain } from './update-domain.ts'

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
