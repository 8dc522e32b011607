import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Copy, Pencil, Trash2 } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { type MemoryPattern, memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import { ApiError, call } from '#web/api.ts'
import { nameOfCopy } from '#web/shell/name-of-copy.ts'
import { useMadeList } from '#web/shell/use-made-list.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { patternsKey, patternsQuery } from '../memory-pattern-queries.ts'
import { PatternCard } from './pattern-card.tsx'
import { PatternForm } from './pattern-form.tsx'
import { bodyOfPattern, valuesOfPattern } from './pattern-values.ts'

/** `?tab=create` makes one, `?edit=` changes one. */
export function MemoryPatternsPage() {
  const queries = useQueryClient()
  const { data, error, isPending, refetch, isRefetching } = useQuery(patternsQuery)
  const [params, setParams] = useSearchParams()
  const editing = data?.patterns.find(({ id, mine }) => mine && id === params.get('edit'))
  const tab = params.get('tab') === 'create' || editing ? 'create' : 'registry'
  const live = data?.from === 'server'
  const open = (address: Record<string, string>) => setParams(address)
  const list = useMadeList<MemoryPattern>({
    nameOf: ({ name }) => name,
    makeCopy: (pattern) => {
      const name = nameOfCopy(pattern.name, data?.patterns.map((other) => other.name) ?? [])
      return call(memoryPatterns.create, { body: { ...bodyOfPattern(valuesOfPattern(pattern)), name } })
    },
    remove: ({ id }) => call(memoryPatterns.remove, { params: { id } }),
    changed: () => queries.invalidateQueries({ queryKey: patternsKey }),
    deleteLabel: 'Delete pattern',
    deleteWords: 'This cannot be undone. A pattern that keepers remember in cannot be deleted.',
  })

  return (
    <>
      <PageHeader title="Memory Patterns" sub="A memory pattern says how a keeper remembers, and from what." />
      <Tabs
        label="Memory Patterns"
        tabs={[
          { id: 'registry', label: 'Registry', ...(data && { count: data.patterns.length }) },
          { id: 'create', label: editing ? 'Edit' : 'Create' },
        ]}
        value={tab}
        onValueChange={(id) => open(id === 'create' ? { tab: 'create' } : {})}
      >
        {tab === 'create' ? (
          <PatternForm
            key={editing?.id ?? 'new'}
            pattern={editing ?? null}
            onCancel={() => open({})}
            onSaved={(saved) => {
              list.tell(editing ? `Saved ${saved.name}.` : `Created ${saved.name}. Keepers can remember in it.`)
              open({})
            }}
          />
        ) : (
          <>
            {list.notices}
            {data?.from === 'static' && (
              <Banner tone="warning" className="mb-4">
                The server is out of reach. These are examples; the counts are not yours.
              </Banner>
            )}
            {error && (
              <ErrorPanel
                reason={error}
                title={(error instanceof ApiError && error.told) || 'Failed to load memory patterns'}
                onRetry={() => refetch()}
                retrying={isRefetching}
              />
            )}
            {isPending && (
              <SkeletonGroup className="grid grid-cols-[repeat(auto-fill,minmax(min(300px,100%),1fr))] gap-4">
                {[1, 2].map((card) => (
                  <Skeleton key={card} className="h-44" />
                ))}
              </SkeletonGroup>
            )}
            <ul
              aria-label="Memory patterns"
              className="grid grid-cols-[repeat(auto-fill,minmax(min(300px,100%),1fr))] gap-4"
            >
              {data?.patterns.map((pattern) => (
                <li key={pattern.id} className="min-w-0">
                  <PatternCard
                    pattern={pattern}
                    count={pattern._count.Keeper}
                    actions={
                      live && (
                        <>
                          {pattern.mine && (
                            <Button
                              size="small"
                              aria-label={`Edit ${pattern.name}`}
                              onClick={() => open({ edit: pattern.id })}
                              icon={<Pencil aria-hidden size={13} />}
                            >
                              Edit
                            </Button>
                          )}
                          <Button
                            size="small"
                            aria-label={`Duplicate ${pattern.name}`}
                            onClick={() => list.duplicate(pattern)}
                            icon={<Copy aria-hidden size={13} />}
                          >
                            Duplicate
                          </Button>
                          {pattern.mine && (
                            <IconButton
                              size="small"
                              label={`Delete ${pattern.name}`}
                              onClick={() => list.askToDelete(pattern)}
                            >
                              <Trash2 aria-hidden size={15} />
                            </IconButton>
                          )}
                        </>
                      )
                    }
                  />
                </li>
              ))}
            </ul>
          </>
        )}
      </Tabs>
      {list.dialog}
    </>
  )
}
