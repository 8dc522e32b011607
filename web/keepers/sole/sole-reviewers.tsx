import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { sole } from '#contract/keepers/sole.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { keeperKey } from '../keeper-queries.ts'
import { useSoleParts } from './use-sole.ts'

interface ReviewerChange {
  endpoint: typeof sole.allowReviewer | typeof sole.withdrawReviewer
  personId: string
}

/** People other than the owner who can decide on drafts. */
export function SoleReviewers({ keeperId }: { keeperId: string }) {
  const { PeoplePicker } = useSoleParts()
  const queryClient = useQueryClient()
  const key = keeperKey(keeperId, 'sole', 'reviewers')
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(sole.reviewers, { params: { id: keeperId }, signal }),
  })
  const change = useMutation({
    mutationFn: ({ endpoint, personId }: ReviewerChange) => call(endpoint, { params: { id: keeperId, personId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
  })

  return (
    <section aria-labelledby="sole-reviewers">
      <h2 id="sole-reviewers" className="mb-2 text-[17px]">
        Reviewers
      </h2>
      <p className="mb-3 text-ui text-muted-foreground">
        Owners and admins of your domains can decide on drafts if you add them here. They see drafts with their quotes,
        and nothing else in this keeper.
      </p>
      {error && !data && <p className="mb-3 text-ui text-destructive">{error.message}</p>}
      {data && data.length > 0 && (
        <ul aria-label="Reviewers" className="mb-3">
          {data.map(({ id, name }) => (
            <li key={id} className="flex items-center gap-3 border-b border-hairline py-1.5">
              <span className="min-w-0 flex-1 truncate text-ui">{name ?? 'Unnamed user'}</span>
              <Button
                size="small"
                variant="plain"
                disabled={change.isPending}
                onClick={() => change.mutate({ endpoint: sole.withdrawReviewer, personId: id })}
              >
                Remove<span className="sr-only"> {name}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <PeoplePicker
        excludedIds={(data ?? []).map(({ id }) => id)}
        busy={change.isPending}
        onPick={({ id }) => change.mutate({ endpoint: sole.allowReviewer, personId: id })}
      />
      {change.error && (
        <Banner tone="error" className="mt-3" onDismiss={change.reset}>
          {change.error.message}
        </Banner>
      )}
    </section>
  )
}
