import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { domains, shownRole } from '#contract/domains/domains.ts'
import { ApiError, call } from '#web/api.ts'
import { Badge } from '#web/ui/badge.tsx'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { domainsMatching } from './domains-matching.ts'

/** 600 px high, as the specification has it. */
export function MyDomains({ personId }: { personId: string }) {
  const [wanted, setWanted] = useState('')
  const list = useQuery({ queryKey: ['domains', 'mine'], queryFn: ({ signal }) => call(domains.mine, { signal }) })

  if (list.isPending) {
    return (
      <SkeletonGroup className="flex h-[600px] flex-col gap-3">
        <Skeleton className="h-9 w-72" />
        <Skeleton className="h-14 w-full" />
        <Skeleton className="h-14 w-full" />
      </SkeletonGroup>
    )
  }
  if (list.isError && !list.data) {
    return (
      <ErrorPanel
        title="Failed to load domains"
        onRetry={() => list.refetch()}
        retrying={list.isFetching}
        requestId={list.error instanceof ApiError ? list.error.requestId : undefined}
      >
        {list.error.message}
      </ErrorPanel>
    )
  }

  const found = domainsMatching(list.data, wanted)
  return (
    <div className="flex h-[600px] flex-col overflow-hidden rounded-lg border border-border bg-card shadow-e1">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 border-b border-hairline px-4 py-3">
        <SearchField label="Search domains" value={wanted} onValueChange={setWanted} className="w-72 phone:w-full" />
        <p className="text-ui text-muted-foreground">
          A domain is a place for keepers and people. Names, members and own addresses cannot be changed here yet.
        </p>
      </div>
      {found.length === 0 ? (
        <div className="grid flex-1 place-items-center p-6">
          {list.data.length === 0 ? (
            <EmptyPanel title="No domains found" className="w-full max-w-md border-0">
              Registering makes a first one, so this is unusual. Sign out and in again.
            </EmptyPanel>
          ) : (
            <EmptyPanel title="No domains match your search" className="w-full max-w-md border-0">
              Names, slugs and descriptions were searched.
            </EmptyPanel>
          )}
        </div>
      ) : (
        <ul className="min-h-0 flex-1 overflow-y-auto" aria-label="Domains">
          {found.map((domain) => (
            <li key={domain.id} className="border-b border-hairline px-4 py-3 last:border-0">
              <p className="flex flex-wrap items-center gap-2">
                <span className="font-semibold">{domain.name}</span>
                {domain.isPrimary && <Badge tone="ribbon">Primary</Badge>}
                {domain.customDomainVerified && <Badge tone="success">Verified</Badge>}
              </p>
              <p className="text-small text-muted-foreground">
                <span className="font-mono">{domain.slug}</span>, {shownRole(domain, personId)}
                {domain.customDomain && (
                  <>
                    , <span className="font-mono">{domain.customDomain}</span>
                  </>
                )}
              </p>
              {domain.description && <p className="mt-1 text-ui">{domain.description}</p>}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
