import { sole } from '#contract/keepers/sole.ts'
import type { Person } from '#server/accounts/person.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { type KeeperRow, requireKeeperFor } from '../keeper-access.ts'
import { keeperView } from '../keeper-view.ts'
import { MemoryConsent } from '../memory-checks/memory-consent.ts'
import { askForDraft } from './ask-for-draft.ts'
import { approveDraft, rejectDraft } from './decide-draft.ts'
import { explainDraft } from './explain-draft.ts'
import { restoreVersion } from './restore-version.ts'
import { allowReviewer, listReviewers, listToReview, withdrawReviewer } from './reviewers.ts'
import { requireReviewable } from './sole-access.ts'
import { listVersions, versionView } from './sole-versions.ts'
import { asPerson, submitDraft } from './submit-draft.ts'

export function soleRoutes(services: Services): ServedCall[] {
  const own = (person: Person, id: string) => requireKeeperFor(services, person, id)
  const reviewable = (person: Person, id: string) => requireReviewable(services, person, id)

  return serveArea('sole', sole, {
    versions: async ({ person, params, query }) =>
      listVersions(services, await reviewable(person, params.id), query.cursor),
    submitDraft: async ({ person, params, body }) =>
      versionView(services, await submitDraft(services, await own(person, params.id), body, asPerson(person))),
    askForDraft: async ({ person, params, body, wantsStream, address }) =>
      askForDraft(services, person, await own(person, params.id), { agentId: body.agentId, wantsStream, address }),
    approve: async ({ person, params, body }) => {
      const keeper = await reviewable(person, params.id)
      const { goldenCheck, ...approval } = body
      const consent = new MemoryConsent(services, person, goldenCheck)
      await approveDraft(services, person, keeper, { ...approval, consent })
      return consent.answer(await keeperAfter(person, keeper))
    },
    reject: async ({ person, params, body }) => {
      const keeper = await reviewable(person, params.id)
      await rejectDraft(services, person, keeper, body)
      return keeperAfter(person, keeper)
    },
    explain: async ({ person, params, body, wantsStream, address }) =>
      explainDraft(services, person, await reviewable(person, params.id), {
        ...{ agentId: body.agentId, wantsStream, address },
      }),
    restore: async ({ person, params }) => {
      const keeper = await own(person, params.id)
      await restoreVersion(services, person, keeper, params.version)
      return keeperAfter(person, keeper)
    },
    reviewers: async ({ person, params }) => listReviewers(services, await own(person, params.id)),
    allowReviewer: async ({ person, params }) => {
      await allowReviewer(services, await own(person, params.id), params.personId)
      return {}
    },
    withdrawReviewer: async ({ person, params }) => {
      await withdrawReviewer(services, await own(person, params.id), params.personId)
      return {}
    },
    toReview: ({ person, query }) => listToReview(services, person, query.cursor),
  })

  /** Reviewers see only the SOLE of a keeper. */
  async function keeperAfter(person: Person, keeper: KeeperRow) {
    const view = await keeperView(services, keeper)
    const { id, sole, soleDraft, soleSubmittedAt } = view
    return keeper.owner_id === person.id ? view : { id, sole, soleDraft, soleSubmittedAt }
  }
}
