import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { shareJourney, shareKeeper } from './share.ts'
import { sharedJourney } from './shared-journey.ts'
import { listShared, showSharedKeeper } from './shared-keeper.ts'
import { sharedLogbook } from './shared-logbook.ts'
import { sharedMedia } from './shared-media.ts'
import { sharedMoments } from './shared-moments.ts'
import { sharesOfKeeper } from './shares-of-keeper.ts'
import { unshareJourney, unshareKeeper } from './unshare.ts'

export function sharedRoutes(services: Services): ServedCall[] {
  return serveArea('sharingInDomains', sharingInDomains, {
    list: ({ person, params }) => listShared(services, person, params.id),
    sharesOfKeeper: ({ person, params }) => sharesOfKeeper(services, person, params.id),
    shareKeeper: ({ person, params, body }) => shareKeeper(services, person, params, body),
    async unshareKeeper({ person, params }) {
      await unshareKeeper(services, person, params)
      return {}
    },
    shareJourney: ({ person, params, body }) => shareJourney(services, person, params, body),
    async unshareJourney({ person, params }) {
      await unshareJourney(services, person, params)
      return {}
    },
    keeper: ({ person, params }) => showSharedKeeper(services, person, params),
    moments: ({ person, params, query }) => sharedMoments(services, person, params, query),
    logbook: ({ person, params, query }) => sharedLogbook(services, person, params, query.cursor),
    journey: ({ person, params, query }) => sharedJourney(services, person, params, query),
    media: ({ person, params, range }) => sharedMedia(services, person, params, range),
  })
}
