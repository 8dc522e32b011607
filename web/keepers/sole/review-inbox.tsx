import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { sole } from '#contract/keepers/sole.ts'
import { type CallResult, call } from '#web/api/api.ts'
import { readPages } from '#web/api/api-pages.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { keeperKey, keepersKey } from '../keeper-queries.ts'
import { PendingDraft } from './pending-draft.tsx'
import { useSoleParts } from './use-sole.ts'

type DraftToReview = CallResult<typeof sole.toReview>[number]

const reviewInboxKey = [...keepersKey, 'sole-to-review']
const useReviewInbox = () =>
  useQuery({
    queryKey: reviewInboxKey,
    async queryFn({ signal }) {
      const pages = await readPages<DraftToReview[]>(sole.toReview, {}, signal)
      return [...new Map(pages.flat().map((draft) => [draft.keeperId, draft])).values()]
    },
  })

/** Lists other people's drafts that are waiting for this person's review. Renders nothing without any. */
export function ReviewNotice() {
  const { data: drafts = [] } = useReviewInbox()
  if (drafts.length === 0) return null
  return (
    <section aria-labelledby="to-review">
      <h2 id="to-review" className="mb-2 text-[1.0625rem]">
        Waiting for your review
      </h2>
      <ReviewInboxList drafts={drafts} />
    </section>
  )
}

/** Drafts of other people's keepers; the draft of `chosenKeeperId` is open. */
export function ReviewInbox({ chosenKeeperId }: { chosenKeeperId: string }) {
  const query = useReviewInbox()
  const { data: drafts } = query
  const queryClient = useQueryClient()
  if (!drafts) return <QueryStatus query={query} skeletonClassName="h-64" />
  const chosenDraft = drafts.find(({ keeperId }) => keeperId === chosenKeeperId)
  const otherDrafts = drafts.filter((draft) => draft !== chosenDraft)
  if (drafts.length === 0)
    return (
      <EmptyPanel drawing="seal" title="Nothing to review">
        When someone asks you to review drafts for their keeper, the drafts appear here.
      </EmptyPanel>
    )
  return (
    <div className="flex max-w-[52rem] flex-col gap-8">
      {chosenDraft && (
        <section aria-label={`Draft of ${chosenDraft.title}`}>
          <p className="mb-3 text-muted-foreground">
            {chosenDraft.ownerName ?? 'Someone'} asks you to review a draft of{' '}
            <strong dir="auto">{chosenDraft.title}</strong>. You see its quotes, but not their context.
          </p>
          <PendingDraft
            key={`${chosenDraft.keeperId} ${chosenDraft.draft.version}`}
            draft={chosenDraft.draft}
            activeVersion={chosenDraft.active ?? undefined}
            canOpenSources={false}
            onDecided={() => queryClient.invalidateQueries({ queryKey: reviewInboxKey })}
          />
        </section>
      )}
      {otherDrafts.length > 0 && <ReviewInboxList drafts={otherDrafts} />}
    </div>
  )
}

function ReviewInboxList({ drafts }: { drafts: DraftToReview[] }) {
  return (
    <ul aria-label="Drafts to review">
      {drafts.map(({ keeperId, title, ownerName, draft }) => (
        <li key={keeperId} className="border-b border-hairline py-2">
          <Link
            dir="auto"
            to={`?review=${encodeURIComponent(keeperId)}`}
            className="rounded-xs font-semibold underline"
          >
            {title}
          </Link>
          <p className="text-small text-muted-foreground">
            {ownerName ?? 'Someone'}, submitted <Time value={draft.submittedAt} timeStyle="date-time" />
          </p>
        </li>
      ))}
    </ul>
  )
}

interface ReviewerChange {
  endpoint: typeof sole.allowReviewer | typeof sole.withdrawReviewer
  personId: string
}

/** People other than the owner who can decide on drafts. */
export function SoleReviewers({ keeperId }: { keeperId: string }) {
  const { PeoplePicker } = useSoleParts()
  const queryClient = useQueryClient()
  const reviewersKey = keeperKey(keeperId, 'sole', 'reviewers')
  const { data: reviewers, error } = useQuery({
    queryKey: reviewersKey,
    queryFn: ({ signal }) => call(sole.reviewers, { params: { id: keeperId }, signal }),
  })
  const changeReviewer = useMutation({
    mutationFn: ({ endpoint, personId }: ReviewerChange) => call(endpoint, { params: { id: keeperId, personId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: reviewersKey }),
  })

  return (
    <section aria-labelledby="sole-reviewers">
      <h2 id="sole-reviewers" className="mb-2 text-[1.0625rem]">
        Reviewers
      </h2>
      <p className="mb-3 text-ui text-muted-foreground">
        Owners and admins of your domains can decide on drafts if you add them here. They see drafts with their quotes,
        and nothing else in this keeper.
      </p>
      {error && !reviewers && <p className="mb-3 text-ui text-destructive">{error.message}</p>}
      {reviewers && reviewers.length > 0 && (
        <ul aria-label="Reviewers" className="mb-3">
          {reviewers.map(({ id, name }) => (
            <li key={id} className="flex items-center gap-3 border-b border-hairline py-1.5">
              <span className="min-w-0 flex-1 truncate text-ui">{name ?? 'Unnamed user'}</span>
              <Button
                size="small"
                variant="plain"
                disabled={changeReviewer.isPending}
                onClick={() => changeReviewer.mutate({ endpoint: sole.withdrawReviewer, personId: id })}
              >
                Remove<span className="sr-only"> {name}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <PeoplePicker
        excludedIds={(reviewers ?? []).map(({ id }) => id)}
        busy={changeReviewer.isPending}
        onPick={({ id }) => changeReviewer.mutate({ endpoint: sole.allowReviewer, personId: id })}
      />
      {changeReviewer.error && (
        <Banner tone="error" className="mt-3" onDismiss={changeReviewer.reset}>
          {changeReviewer.error.message}
        </Banner>
      )}
    </section>
  )
}
