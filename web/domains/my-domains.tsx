import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useMyDomains } from '#web/queries/use-my-domains.ts'
import { isPhone } from '#web/ui/hooks/use-viewport-class.ts'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { DomainDetail } from './domain-detail.tsx'
import { DomainForm } from './domain-form.tsx'
import { DomainList } from './domain-list.tsx'
import { NoticeBanner, useNotice } from './notice-banner.tsx'

const newDomain = 'new'

/** `?domain=` is the open domain or `new`; `&edit=1` opens its form. */
export function MyDomains({ personId }: { personId: string }) {
  const [params, setParams] = useSearchParams()
  const [search, setSearch] = useState('')
  const { notice, notify, dismiss } = useNotice()
  const detail = useRef<HTMLElement>(null)
  const list = useMyDomains()

  const requestedId = params.get('domain')
  const creating = requestedId === newDomain
  const view = creating ? 'new' : params.has('edit') ? 'edit' : 'detail'
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
      detail.current?.scrollTo({ top: 0 })
      if (id !== undefined && isPhone()) detail.current?.scrollIntoView()
    })
  }

  if (list.isPending) {
    return (
      <SkeletonGroup className="flex h-[600px] flex-col gap-3">
        <Skeleton className="h-9 w-72 max-w-full" />
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
        reason={list.error}
      >
        {list.error.message}
      </ErrorPanel>
    )
  }

  const chosenDomain = creating ? undefined : (list.data.find(({ id }) => id === requestedId) ?? list.data[0])
  return (
    <>
      <h2 className="sr-only">Domain Settings</h2>
      <NoticeBanner notice={notice} onDismiss={dismiss} className="sticky top-2 z-20 mb-4 phone:top-[60px]" />
      <div className="grid h-[600px] grid-cols-[minmax(220px,300px)_minmax(0,1fr)] overflow-hidden rounded-lg border border-border bg-card shadow-e1 phone:h-auto phone:grid-cols-1">
        <DomainList
          list={list.data}
          personId={personId}
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
          className="relative min-h-0 scroll-mt-16 overflow-y-auto p-6 outline-none phone:overflow-visible phone:p-4"
        >
          {creating && (
            <>
              <h3 className="mb-4 text-[22px] leading-[28px]">New domain</h3>
              <DomainForm
                onSaved={(saved) => {
                  notify('success', 'Domain saved successfully')
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
              notify={notify}
              onRemoved={() => openDomain(undefined)}
            />
          )}
        </section>
      </div>
    </>
  )
}
