import { useQuery } from '@tanstack/react-query'
import { proposals } from '#contract/connections/proposals.ts'
import { call } from '#web/api/api.ts'
import { keepersKey } from '#web/keepers/keeper-queries.ts'
import { Badge } from '#web/ui/panels/badge.tsx'

/** What programs and agents propose is noticed on every page. */
export default function ProposalCount() {
  const { data } = useQuery({
    queryKey: [...keepersKey, 'proposals', 'count'],
    queryFn: ({ signal }) => call(proposals.count, { signal }),
  })
  if (!data?.total) return null
  return (
    <Badge tone="ribbon" className="h-[1.125rem]">
      {data.total}
      <span className="sr-only"> waiting for you</span>
    </Badge>
  )
}
