import { customDomains } from '#contract/domains/custom-domains.ts'
import { domainSetups } from '#contract/domains/domain-setup.ts'
import { domains } from '#contract/domains/domains.ts'
import { invitations } from '#contract/domains/invitations.ts'
import { people } from '#contract/domains/people.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { attachHost, showDnsStatus, verifyHost } from './custom/hosted-domain.ts'
import { showSite } from './custom/serve-site.ts'
import { acceptInvitation } from './invitations/accept-invitation.ts'
import { createInvitations } from './invitations/create-invitations.ts'
import {
  listInvitations,
  previewInvitation,
  resendInvitation,
  revokeInvitation,
  showInvitationLink,
} from './invitations/invitations.ts'
import { listAllDomains, listDomains } from './list-domains.ts'
import { acceptOwnMembership, addMember, changeMember, listMembers, removeMember } from './members/members.ts'
import { listDomainActivity, listPeople } from './people/list-people.ts'
import { searchPeople } from './people/search-people.ts'
import { updatePerson } from './people/update-person.ts'
import { createDomain, removeDomain, setPrimaryDomain, updateDomain } from './save-domain.ts'
import { setCustomDomain } from './set-custom-domain.ts'
import { chooseSetup, showSetup } from './setup/setup.ts'
import { transferDomain } from './transfer-domain.ts'

export function domainRoutes(services: Services): ServedCall[] {
  return [
    ...serveArea('domains', domains, {
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
    }),
    ...serveArea('customDomains', customDomains, {
      status: ({ person, params }) => showDnsStatus(services, person, params.id),
      attach: ({ person, params, body, ifMatch }) =>
        attachHost(services, person, params.id, body.customDomain, ifMatch),
      verify: ({ person, params }) => verifyHost(services, person, params.id),
      site: (call) => showSite(services, call.site),
    }),
    ...serveArea('invitations', invitations, {
      create: ({ person, params, body }) => createInvitations(services, person, params.id, body),
      list: ({ person, params, query }) => listInvitations(services, person, params.id, query.cursor),
      resend: ({ person, params }) => resendInvitation(services, person, params),
      revoke: ({ person, params }) => revokeInvitation(services, person, params),
      link: ({ person, params }) => showInvitationLink(services, person, params),
      look: ({ body, address }) => previewInvitation(services, body.token, address),
      accept: ({ person, body }) => acceptInvitation(services, person, body.token),
    }),
    ...serveArea('people', people, {
      list: ({ person, query }) => listPeople(services, person, query),
      update: ({ person, params, body }) => updatePerson(services, person, params.id, body),
      activity: ({ person, params, query }) => listDomainActivity(services, person, params.id, query),
    }),
    ...serveArea('domainSetups', domainSetups, {
      show: ({ person, params }) => showSetup(services, person, params.id),
      choose: ({ person, params, body }) => chooseSetup(services, person, params.id, body),
    }),
  ]
}
