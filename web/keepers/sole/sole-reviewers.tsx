import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sole } from '#contract/keepers/sole.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { keeperKey } from '../keeper-queries.ts'
import { useSoleParts } from './use-sole.ts'

/** People other than the owner who can decide on drafts. */
export function SoleReviewers({ keeperId }: { keeperId: string }) {
  const { PeoplePicker } = useSoleParts()
  const queryClient = useQueryClient()
  const key = keeperKey(keeperId, 'sole', 'reviewers')
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(sole.reviewers, { params: { id: keeperId }, signal }),
  })
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function changeReviewer(endpoint: typeof sole.allowReviewer | typeof sole.withdrawReviewer, personId: string) {
    setBusy(true)
    setFailure(undefined)
    try {
      await call(endpoint, { params: { id: keeperId, personId } })
    } catch (reason) {
      setFailure(reason instanceof Error ? reason.message : 'The reviewers couldn’t be changed.')
    } finally {
      await queryClient.invalidateQueries({ queryKey: key })
      setBusy(false)
    }
  }

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
                disabled={busy}
                onClick={() => changeReviewer(sole.withdrawReviewer, id)}
              >
                Remove<span className="sr-only"> {name}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <PeoplePicker
        excludedIds={(data ?? []).map(({ id }) => id)}
        busy={busy}
        onPick={({ id }) => changeReviewer(sole.allowReviewer, id)}
      />
      {failure && (
        <Banner tone="error" className="mt-3" onDismiss={() => setFailure(undefined)}>
          {failure}
        </Banner>
      )}
    </section>
  )
}
