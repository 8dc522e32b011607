import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { listSharesOfKeeper, revokeShare, shareJourney, shareKeeper } from './shares.ts'
import { showSharedJourney } from './show-shared-journey.ts'
import {
  listSharedLogbook,
  listSharedMoments,
  listSharesInDomain,
  sendSharedMedia,
  showSharedKeeper,
} from './show-shared-keeper.ts'

export function domainSharingRoutes(services: Services): ServedCall[] {
  return serveArea('sharingInDomains', sharingInDomains, {
    list: ({ person, params }) => listSharesInDomain(services, person, params.id),
    sharesOfKeeper: ({ person, params }) => listSharesOfKeeper(services, person, params.id),
    shareKeeper: ({ person, params, body }) => shareKeeper(services, person, params, body),
    unshareKeeper: ({ person, params }) => revokeShare(services, person, params.id, 'keeper', params.keeperId),
    shareJourney: ({ person, params, body }) => shareJourney(services, person, params, body),
    unshareJourney: ({ person, params }) => revokeShare(services, person, params.id, 'journey', params.journeyId),
    keeper: ({ person, params }) => showSharedKeeper(services, person, params),
    moments: ({ person, params, query }) => listSharedMoments(services, person, params, query),
    logbook: ({ person, params, query }) => listSharedLogbook(services, person, params, query.cursor),
    journey: ({ person, params, query }) => showSharedJourney(services, person, params, query),
    media: ({ person, params, query, range }) => sendSharedMedia(services, person, params, { ...query, range }),
  })
}
