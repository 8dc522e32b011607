import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { type MemoryPattern, memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import { call } from '#web/api.ts'
import { getCopyName } from '#web/shell/copy-name.ts'
import { RegistryCardActions, RegistryCards } from '#web/shell/registry-cards.tsx'
import { useRegistryList } from '#web/shell/use-registry-list.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { patternsKey, patternsQuery } from '../memory-pattern-queries.ts'
import { PatternCard } from './pattern-card.tsx'
import { PatternForm } from './pattern-form.tsx'
import { toPatternBody, toPatternValues } from './pattern-values.ts'

/** `?tab=create` opens the form for a new pattern, `?edit=` for an existing one. */
export function MemoryPatternsPage() {
  const queryClient = useQueryClient()
  const query = useQuery(patternsQuery)
  const { data } = query
  const [params, setParams] = useSearchParams()
  const editing = data?.entries.find(({ id, mine }) => mine && id === params.get('edit'))
  const tab = params.get('tab') === 'create' || editing ? 'create' : 'registry'
  const isLive = data?.from === 'server'
  const openView = (address: Record<string, string>) => setParams(address)
  const registryList = useRegistryList<MemoryPattern>({
    getName: ({ name }) => name,
    createCopy: (pattern) => {
      const name = getCopyName(pattern.name, data?.entries.map((other) => other.name) ?? [])
      return call(memoryPatterns.create, { body: { ...toPatternBody(toPatternValues(pattern)), name } })
    },
    remove: ({ id }) => call(memoryPatterns.remove, { params: { id } }),
    reload: () => queryClient.invalidateQueries({ queryKey: patternsKey }),
    deleteLabel: 'Delete pattern',
    deleteWarning: 'This can’t be undone. A pattern in use by keepers can’t be deleted.',
  })

  return (
    <>
      <PageHeader
        title="Memory Patterns"
        subtitle="A memory pattern defines how a keeper remembers, and from which entries."
      />
      <Tabs
        label="Memory Patterns"
        tabs={[
          { id: 'registry', label: 'Registry', ...(data && { count: data.entries.length }) },
          { id: 'create', label: editing ? 'Edit' : 'Create' },
        ]}
        value={tab}
        onValueChange={(id) => openView(id === 'create' ? { tab: 'create' } : {})}
      >
        {tab === 'create' ? (
          <PatternForm
            key={editing?.id ?? 'new'}
            pattern={editing ?? null}
            onCancel={() => openView({})}
            onSaved={(saved) => {
              registryList.showNotice(
                editing ? `Saved ${saved.name}.` : `Created ${saved.name}. Keepers can now use this pattern.`,
              )
              openView({})
            }}
          />
        ) : (
          <>
            {registryList.notices}
            <RegistryCards label="Memory patterns" query={query} loadErrorText="Failed to load memory patterns">
              {data?.entries.map((pattern) => (
                <li key={pattern.id} className="min-w-0">
                  <PatternCard
                    pattern={pattern}
                    count={pattern._count.Keeper}
                    actions={
                      isLive && (
                        <RegistryCardActions
                          name={pattern.name}
                          isOwner={pattern.mine}
                          onEdit={() => openView({ edit: pattern.id })}
                          onDuplicate={() => registryList.duplicate(pattern)}
                          onDelete={() => registryList.confirmDelete(pattern)}
                        />
                      )
                    }
                  />
                </li>
              ))}
            </RegistryCards>
          </>
        )}
      </Tabs>
      {registryList.dialog}
    </>
  )
}
