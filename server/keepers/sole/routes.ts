import { sole } from '#contract/keepers/sole.ts'
import type { Person } from '#server/accounts/person.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { type KeeperRow, requireKeeperFor } from '../keeper-access.ts'
import { toKeeper } from '../keeper-view.ts'
import { MemoryConsent } from '../memory-checks/memory-check.ts'
import { approveDraft, rejectDraft } from './decide-draft.ts'
import { explainDraft } from './explain-draft.ts'
import { requestDraft } from './request-draft.ts'
import { allowReviewer, listDraftsToReview, listReviewers, requireReviewable, withdrawReviewer } from './sole-access.ts'
import { listVersions, restoreVersion, toSoleVersion } from './sole-versions.ts'
import { submitDraft, toPersonAuthor } from './submit-draft.ts'

export function soleRoutes(services: Services): ServedCall[] {
  return serveArea('sole', sole, {
    versions: async ({ person, params, query }) =>
      listVersions(services, await requireReviewable(services, person, params.id), query.cursor),
    submitDraft: async ({ person, params, body }) => {
      const keeper = await requireKeeperFor(services, person, params.id)
      return toSoleVersion(services, await submitDraft(services, keeper, body, toPersonAuthor(person)))
    },
    askForDraft: async ({ person, params, body: { agentId }, wantsStream, address }) => {
      const keeper = await requireKeeperFor(services, person, params.id)
      return requestDraft(services, person, keeper, { agentId, wantsStream, address })
    },
    approve: async ({ person, params, body }) => {
      const keeper = await requireReviewable(services, person, params.id)
      const { goldenCheck, ...approval } = body
      const consent = new MemoryConsent(services, person, goldenCheck)
      await approveDraft(services, person, keeper, { ...approval, consent })
      return consent.toReply(await toReply(person, keeper))
    },
    reject: async ({ person, params, body }) => {
      const keeper = await requireReviewable(services, person, params.id)
      await rejectDraft(services, person, keeper, body)
      return toReply(person, keeper)
    },
    explain: async ({ person, params, body: { agentId }, wantsStream, address }) => {
      const keeper = await requireReviewable(services, person, params.id)
      return explainDraft(services, person, keeper, { agentId, wantsStream, address })
    },
    restore: async ({ person, params }) => {
      const keeper = await requireKeeperFor(services, person, params.id)
      await restoreVersion(services, person, keeper, params.version)
      return toReply(person, keeper)
    },
    reviewers: async ({ person, params }) =>
      listReviewers(services, await requireKeeperFor(services, person, params.id)),
    allowReviewer: async ({ person, params }) =>
      allowReviewer(services, await requireKeeperFor(services, person, params.id), params.personId),
    withdrawReviewer: async ({ person, params }) =>
      withdrawReviewer(services, await requireKeeperFor(services, person, params.id), params.personId),
    toReview: ({ person, query }) => listDraftsToReview(services, person, query.cursor),
  })

  /** Reviewers see only the SOLE of a keeper. */
  async function toReply(person: Person, keeper: KeeperRow) {
    const view = await toKeeper(services, keeper)
    const { id, sole, soleDraft, soleSubmittedAt } = view
    return keeper.owner_id === person.id ? view : { id, sole, soleDraft, soleSubmittedAt }
  }
}
