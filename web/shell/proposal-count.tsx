import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { proposals } from '#contract/connections/proposals.ts'
import { call } from '#web/api/api.ts'
import { keepersKey } from '#web/keepers/keeper-queries.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'

/** Shows the number of proposals on every page, as a link where the sidebar doesn't link to the home page. */
export default function ProposalCount({ asLink = false, narrow = false }: { asLink?: boolean; narrow?: boolean }) {
  const { pathname } = useLocation()
  const { data } = useQuery({
    queryKey: [...keepersKey, 'proposals', 'count'],
    queryFn: ({ signal }) => call(proposals.count, { signal }),
  })
  if (!data?.total || (asLink && pathname === '/root')) return null
  const label = <span className={asLink && !narrow ? undefined : 'sr-only'}> waiting for you</span>
  const count = (
    <Badge tone="ribbon" className={narrow && !asLink ? 'absolute end-0 top-0 h-[1.125rem]' : 'h-[1.125rem]'}>
      {data.total}
      {!asLink && label}
    </Badge>
  )
  if (!asLink) return count
  return (
    <LinkButton to="/root" size="small" className={narrow ? undefined : 'w-full'}>
      {count}
      {label}
    </LinkButton>
  )
}
