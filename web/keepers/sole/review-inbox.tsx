import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { sole } from '#contract/keepers/sole.ts'
import type { CallResult } from '#web/api.ts'
import { readPages } from '#web/api-pages.ts'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Time } from '#web/ui/time.tsx'
import { keepersKey } from '../keeper-queries.ts'
import { PendingDraft } from './pending-draft.tsx'
import { createServerSole } from './sole-backend.ts'

type DraftToReview = CallResult<typeof sole.toReview>[number]

const inboxKey = [...keepersKey, 'sole-to-review']
const useInbox = () =>
  useQuery({
    queryKey: inboxKey,
    async queryFn({ signal }) {
      const pages = await readPages<DraftToReview[]>(sole.toReview, {}, signal)
      return [...new Map(pages.flat().map((one) => [one.keeperId, one])).values()]
    },
  })

/** Lists drafts of other people waiting for review. Renders nothing without any. */
export function ReviewNotice() {
  const { data = [] } = useInbox()
  if (data.length === 0) return null
  return (
    <section aria-labelledby="to-review">
      <h2 id="to-review" className="mb-2 text-[17px]">
        Waiting for your review
      </h2>
      <InboxList waiting={data} />
    </section>
  )
}

/** Drafts of other people's keepers; the draft of `chosenKeeperId` is open. */
export function ReviewInbox({ chosen }: { chosen: string }) {
  const { data, error, isPending, refetch, isRefetching } = useInbox()
  const queryClient = useQueryClient()
  if (isPending) return <Skeleton className="h-64" />
  if (!data)
    return <ErrorPanel reason={error} title={error.message} onRetry={() => refetch()} retrying={isRefetching} />
  const open = data.find(({ keeperId }) => keeperId === chosen)
  const otherDrafts = data.filter((one) => one !== open)
  if (data.length === 0)
    return (
      <EmptyPanel drawing="seal" title="Nothing to review">
        When someone asks you to review drafts for their keeper, the drafts appear here.
      </EmptyPanel>
    )
  return (
    <div className="flex max-w-[52rem] flex-col gap-8">
      {open && (
        <section aria-label={`Draft of ${open.title}`}>
          <p className="mb-3 text-muted-foreground">
            {open.ownerName ?? 'Someone'} asks you to review a draft of <strong>{open.title}</strong>. You see its
            quotes, but not their context.
          </p>
          <PendingDraft
            key={`${open.keeperId} ${open.draft.version}`}
            draft={open.draft}
            active={open.active ?? undefined}
            backend={createServerSole(open.keeperId)}
            demo={false}
            canOpen={false}
            onDecided={() => queryClient.invalidateQueries({ queryKey: inboxKey })}
          />
        </section>
      )}
      {otherDrafts.length > 0 && <InboxList waiting={otherDrafts} />}
    </div>
  )
}

function InboxList({ waiting }: { waiting: DraftToReview[] }) {
  return (
    <ul aria-label="Drafts to review">
      {waiting.map(({ keeperId, title, ownerName, draft }) => (
        <li key={keeperId} className="border-b border-hairline py-2">
          <Link to={`?review=${encodeURIComponent(keeperId)}`} className="rounded-xs font-semibold underline">
            {title}
          </Link>
          <p className="text-small text-muted-foreground">
            {ownerName ?? 'Someone'}, submitted <Time value={draft.submittedAt} as="date-time" />
          </p>
        </li>
      ))}
    </ul>
  )
}
