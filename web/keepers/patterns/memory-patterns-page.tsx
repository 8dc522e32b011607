import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { type MemoryPattern, memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import { call } from '#web/api.ts'
import { MadeCards, MadeDeeds } from '#web/shell/made-cards.tsx'
import { nameOfCopy } from '#web/shell/name-of-copy.ts'
import { useMadeList } from '#web/shell/use-made-list.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { patternsKey, patternsQuery } from '../memory-pattern-queries.ts'
import { PatternCard } from './pattern-card.tsx'
import { PatternForm } from './pattern-form.tsx'
import { bodyOfPattern, valuesOfPattern } from './pattern-values.ts'

/** `?tab=create` opens the form for a new pattern, `?edit=` for an existing one. */
export function MemoryPatternsPage() {
  const queries = useQueryClient()
  const query = useQuery(patternsQuery)
  const { data } = query
  const [params, setParams] = useSearchParams()
  const editing = data?.entries.find(({ id, mine }) => mine && id === params.get('edit'))
  const tab = params.get('tab') === 'create' || editing ? 'create' : 'registry'
  const live = data?.from === 'server'
  const open = (address: Record<string, string>) => setParams(address)
  const list = useMadeList<MemoryPattern>({
    nameOf: ({ name }) => name,
    makeCopy: (pattern) => {
      const name = nameOfCopy(pattern.name, data?.entries.map((other) => other.name) ?? [])
      return call(memoryPatterns.create, { body: { ...bodyOfPattern(valuesOfPattern(pattern)), name } })
    },
    remove: ({ id }) => call(memoryPatterns.remove, { params: { id } }),
    changed: () => queries.invalidateQueries({ queryKey: patternsKey }),
    deleteLabel: 'Delete pattern',
    deleteWords: 'This can’t be undone. A pattern in use by keepers can’t be deleted.',
  })

  return (
    <>
      <PageHeader
        title="Memory Patterns"
        sub="A memory pattern defines how a keeper remembers, and from which entries."
      />
      <Tabs
        label="Memory Patterns"
        tabs={[
          { id: 'registry', label: 'Registry', ...(data && { count: data.entries.length }) },
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
              list.tell(editing ? `Saved ${saved.name}.` : `Created ${saved.name}. Keepers can use it now.`)
              open({})
            }}
          />
        ) : (
          <>
            {list.notices}
            <MadeCards label="Memory patterns" query={query} failedToLoad="Failed to load memory patterns">
              {data?.entries.map((pattern) => (
                <li key={pattern.id} className="min-w-0">
                  <PatternCard
                    pattern={pattern}
                    count={pattern._count.Keeper}
                    actions={
                      live && (
                        <MadeDeeds
                          name={pattern.name}
                          mine={pattern.mine}
                          onEdit={() => open({ edit: pattern.id })}
                          onDuplicate={() => list.duplicate(pattern)}
                          onDelete={() => list.askToDelete(pattern)}
                        />
                      )
                    }
                  />
                </li>
              ))}
            </MadeCards>
          </>
        )}
      </Tabs>
      {list.dialog}
    </>
  )
}
