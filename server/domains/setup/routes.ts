import { domainSetups } from '#contract/domains/domain-setup.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { chooseSetup, showSetup } from './setup.ts'

export function domainSetupRoutes(services: Services): ServedCall[] {
  return serveArea('domainSetups', domainSetups, {
    show: ({ person, params }) => showSetup(services, person, params.id),
    choose: ({ person, params, body }) => chooseSetup(services, person, params.id, body),
  })
}
