import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import { keeperTypesQuery } from '#web/queries/keeper-types-query.ts'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { NewTypeButton } from './type-dialogs.tsx'
import { TypeMetadata } from './type-metadata.tsx'
import { TypePattern } from './type-pattern.tsx'
import { TypeTemplates } from './type-templates.tsx'

const tabs = [
  { id: 'metadata', label: 'Metadata' },
  { id: 'engagement-templates', label: 'Engagement Templates' },
  { id: 'memory-pattern', label: 'Memory Pattern' },
] as const
type TabId = (typeof tabs)[number]['id']

/** `?type=` names the type (the first by default), `&tab=` its tab. */
export function KeeperTypesPage() {
  const { data: types, error, isPending, refetch, isRefetching } = useQuery(keeperTypesQuery)
  const [params, setParams] = useSearchParams()
  const [statusText, setStatusText] = useState('')
  const requestedType = params.get('type')
  const chosenType = types?.find(({ id, slug }) => id === requestedType || slug === requestedType) ?? types?.[0]
  const tab: TabId = tabs.find(({ id }) => id === params.get('tab'))?.id ?? 'metadata'

  function updateAddress(change: { type?: string; tab?: TabId }) {
    setParams((previous) => {
      const next = new URLSearchParams(previous)
      for (const [name, value] of Object.entries(change)) next.set(name, value)
      return next
    })
  }

  return (
    <>
      <PageHeader
        title="Keeper Types"
        subtitle="A keeper type defines how its keepers remember and what you can write in them."
        actions={
          <NewTypeButton
            onCreated={(type) => {
              setStatusText(`Created ${type.name}.`)
              updateAddress({ type: type.id, tab: 'metadata' })
            }}
          />
        }
      />
      <p role="status" className="sr-only">
        {statusText}
      </p>
      {error && (
        <ErrorPanel
          title="Failed to load keeper types"
          onRetry={() => refetch()}
          retrying={isRefetching}
          details={error.message}
          reason={error}
          className="mb-5"
        >
          Nothing you wrote is affected.
        </ErrorPanel>
      )}
      {isPending && (
        <SkeletonGroup className="grid grid-cols-[240px_minmax(0,1fr)] gap-7 phone:grid-cols-1">
          <Skeleton className="h-72" />
          <Skeleton className="h-72" />
        </SkeletonGroup>
      )}
      {types?.length === 0 && <EmptyPanel title="No keeper types">A new server comes with six.</EmptyPanel>}
      {types && chosenType && (
        <div className="grid grid-cols-[240px_minmax(0,1fr)] items-start gap-7 phone:grid-cols-1">
          <nav aria-label="Keeper types">
            <ul className="flex flex-col gap-0.5">
              {types.map((type) => (
                <li key={type.id}>
                  <KeeperTypeRow
                    type={type}
                    isChosen={type.id === chosenType.id}
                    onChoose={() => updateAddress({ type: type.id })}
                  />
                </li>
              ))}
            </ul>
          </nav>
          <section aria-labelledby="chosen-type" className="min-w-0">
            <h2 id="chosen-type" className="mb-3 wrap-break-word">
              {chosenType.name}
            </h2>
            <Tabs label="Keeper type" tabs={tabs} value={tab} onValueChange={(id) => updateAddress({ tab: id })}>
              {tab === 'metadata' && (
                <TypeMetadata
                  key={chosenType.id}
                  type={chosenType}
                  onDeleted={() => {
                    setStatusText(`Deleted ${chosenType.name}.`)
                    setParams({})
                  }}
                />
              )}
              {tab === 'engagement-templates' && <TypeTemplates key={chosenType.id} type={chosenType} />}
              {tab === 'memory-pattern' && <TypePattern memoryPattern={chosenType.memoryPattern} />}
            </Tabs>
          </section>
        </div>
      )}
    </>
  )
}

function KeeperTypeRow({ type, isChosen, onChoose }: { type: KeeperType; isChosen: boolean; onChoose: () => void }) {
  return (
    <button
      type="button"
      data-item
      aria-current={isChosen || undefined}
      onClick={onChoose}
      className="relative flex w-full flex-wrap items-center gap-x-2 gap-y-1 rounded-md px-3 py-2 text-start text-ui transition-colors duration-120 hover:bg-fill-hover aria-[current]:bg-fill aria-[current]:font-semibold aria-[current]:before:absolute aria-[current]:before:inset-y-2 aria-[current]:before:start-0 aria-[current]:before:w-[3px] aria-[current]:before:rounded-full aria-[current]:before:bg-ribbon"
    >
      <span className="min-w-0 flex-1 basis-24 wrap-break-word">{type.name}</span>
      <span className="flex max-w-full flex-wrap gap-1">
        <Badge tone="outlined" className="max-w-full overflow-hidden">
          {type.memoryPattern}
        </Badge>
        {type.system && <Badge>System</Badge>}
      </span>
    </button>
  )
}
