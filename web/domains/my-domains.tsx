import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Domain } from '#contract/domains/domains.ts'
import { getDisplayRole } from '#contract/domains/domains.ts'
import { createTextFilter } from '#contract/search/search-query.ts'
import { QueryError } from '#web/queries/query-error.tsx'
import { useMyDomains } from '#web/queries/use-my-domains.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { useNotice } from '#web/ui/hooks/use-notice.tsx'
import { isPhone } from '#web/ui/hooks/use-viewport-class.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { getRoleName } from '#web/ui/text/domain-role-texts.ts'
import { CustomDomainBadge } from './custom-domain/custom-domain-badge.tsx'
import { DomainDetail } from './domain-detail.tsx'
import { DomainForm } from './domain-form.tsx'

const newDomain = 'new'

/** `?domain=` is the open domain or `new`; `&edit=1` opens its form. */
export function MyDomains({ personId }: { personId: string }) {
  const [params, setParams] = useSearchParams()
  const [search, setSearch] = useState('')
  const { showNotice, noticeBanner } = useNotice('sticky top-[calc(var(--header-height)+8px)] z-20 mb-4')
  const detail = useRef<HTMLElement>(null)
  const list = useMyDomains()

  const requestedId = params.get('domain')
  const creating = requestedId === newDomain
  const openView = params.has('edit') ? 'edit' : 'detail'
  const view = creating ? 'new' : openView
  const previousView = useRef(view)
  useEffect(() => {
    if (previousView.current === view) return
    previousView.current = view
    // The button that opened or closed the form was unmounted.
    const target = view === 'detail' ? detail.current : detail.current?.querySelector('input')
    target?.focus({ preventScroll: true })
  }, [view])

  const openDomain = (id: string | undefined, editing = false) => {
    setParams(id === undefined ? {} : { domain: id, ...(editing && { edit: '1' }) })
    // On a phone the details are below the list.
    requestAnimationFrame(() => {
      if (id !== undefined && isPhone()) detail.current?.scrollIntoView()
    })
  }

  if (list.isPending) {
    return (
      <SkeletonGroup className="flex min-h-[600px] flex-col gap-3">
        <Skeleton className="h-9 w-72 max-w-full" />
        <Skeleton className="h-14 w-full" />
        <Skeleton className="h-14 w-full" />
      </SkeletonGroup>
    )
  }
  if (list.isError && !list.data) {
    return (
      <QueryError query={list} title="Failed to load domains">
        {list.error.message}
      </QueryError>
    )
  }

  const chosenDomain = creating ? undefined : (list.data.find(({ id }) => id === requestedId) ?? list.data[0])
  return (
    <>
      <h2 className="sr-only">Domain Settings</h2>
      {noticeBanner}
      <div className="grid min-h-[600px] grid-cols-[minmax(220px,300px)_minmax(0,1fr)] overflow-hidden rounded-lg border border-border bg-card shadow-e1 phone:min-h-0 phone:grid-cols-1">
        <DomainList
          list={list.data}
          chosenId={chosenDomain?.id}
          search={search}
          onSearchChange={setSearch}
          onChoose={(id) => openDomain(id)}
          onCreate={() => openDomain(newDomain)}
        />
        <section
          ref={detail}
          tabIndex={-1}
          aria-label={chosenDomain?.name ?? 'New domain'}
          className="relative min-w-0 scroll-mt-2 p-6 outline-none phone:p-4"
        >
          {creating && (
            <>
              <h3 className="mb-4 text-[1.375rem] leading-[1.75rem]">New domain</h3>
              <DomainForm
                onSaved={(saved) => {
                  showNotice('success', 'Domain saved successfully')
                  openDomain(saved.id)
                }}
                onCancel={() => openDomain(undefined)}
              />
            </>
          )}
          {chosenDomain && (
            <DomainDetail
              key={chosenDomain.id}
              domain={chosenDomain}
              personId={personId}
              editing={view === 'edit'}
              onEditingChange={(editing) => openDomain(chosenDomain.id, editing)}
              showNotice={showNotice}
              onRemoved={() => openDomain(undefined)}
            />
          )}
        </section>
      </div>
    </>
  )
}

interface DomainListProps {
  list: readonly Domain[]
  chosenId: string | undefined
  search: string
  onSearchChange: (search: string) => void
  onChoose: (id: string) => void
  onCreate: () => void
}

function DomainList({ list, chosenId, search, onSearchChange, onChoose, onCreate }: DomainListProps) {
  const matches = filterDomains(list, search)
  const listRef = useRef<HTMLUListElement>(null)
  // Scrolls the chosen domain into view within the list, without scrolling the page.
  useEffect(() => {
    const listElement = listRef.current
    const row = chosenId && listElement?.querySelector<HTMLElement>('[aria-current]')
    if (!listElement || !row) return
    const [listBounds, rowBounds] = [listElement.getBoundingClientRect(), row.getBoundingClientRect()]
    if (rowBounds.bottom > listBounds.bottom) listElement.scrollTop += rowBounds.bottom - listBounds.bottom
    else if (rowBounds.top < listBounds.top) listElement.scrollTop -= listBounds.top - rowBounds.top
  }, [chosenId])
  return (
    <div className="flex min-h-0 flex-col border-e border-border bg-background phone:border-e-0 phone:border-b">
      <div className="flex items-center gap-2 border-b border-hairline p-3">
        <SearchField
          label="Search domains"
          value={search}
          onValueChange={onSearchChange}
          className="min-w-0 flex-1"
          autoComplete="off"
        />
        <IconButton label="New domain" outlined onClick={onCreate}>
          <Plus aria-hidden size={16} />
        </IconButton>
      </div>
      {matches.length === 0 ? (
        <EmptyPanel
          title={list.length === 0 ? 'No domains found' : 'No domains match your search'}
          className="m-3 border-none"
          action={
            list.length === 0 ? (
              <Button size="small" onClick={onCreate}>
                New domain
              </Button>
            ) : (
              <Button size="small" onClick={() => onSearchChange('')}>
                Clear
              </Button>
            )
          }
        >
          {list.length === 0
            ? 'A domain is a place for keepers and the people you share them with.'
            : 'Search covers names, slugs and descriptions.'}
        </EmptyPanel>
      ) : (
        <ul ref={listRef} className="max-h-[540px] overflow-y-auto phone:max-h-[252px]" aria-label="Domains">
          {matches.map((domain) => (
            <li key={domain.id} className="border-b border-hairline last:border-0">
              <button
                type="button"
                aria-current={domain.id === chosenId || undefined}
                onClick={() => onChoose(domain.id)}
                className="block w-full border-s-[3px] border-transparent px-3 py-2.5 text-start transition-colors duration-120 hover:bg-fill-hover focus-visible:-outline-offset-2 aria-current:border-ribbon aria-current:bg-card"
              >
                <span className="flex flex-wrap items-center gap-2">
                  <span dir="auto" className="min-w-0 truncate font-semibold">
                    {domain.name}
                  </span>
                  {domain.isPrimary && <Badge tone="ribbon">Primary</Badge>}
                  {domain.agreed === false && <Badge tone="info">Not joined yet</Badge>}
                  <span className="ms-auto empty:hidden">
                    <CustomDomainBadge domain={domain} />
                  </span>
                </span>
                <span className="block truncate text-small text-muted-foreground">
                  <span className="font-mono">{domain.slug}</span>, {getRoleName(getDisplayRole(domain))}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

export function filterDomains(list: readonly Domain[], search: string): Domain[] {
  const isMatch = createTextFilter(search)
  return list.filter(({ name, slug, description }) => isMatch(name, slug, description))
}
