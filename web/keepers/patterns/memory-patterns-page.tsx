import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type MemoryPattern, memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import { call } from '#web/api/api.ts'
import { CardActions } from '#web/catalog/catalog-cards.tsx'
import { CatalogPage } from '#web/catalog/catalog-page.tsx'
import { useCatalog } from '#web/catalog/use-catalog.tsx'
import { patternsKey, patternsQuery } from '../memory-pattern-queries.ts'
import { PatternCard } from './pattern-card.tsx'
import { PatternForm } from './pattern-form.tsx'
import { toPatternBody, toPatternValues } from './pattern-values.ts'

export function MemoryPatternsPage() {
  const queryClient = useQueryClient()
  const query = useQuery(patternsQuery)
  const catalog = useCatalog<MemoryPattern>({
    noun: 'pattern',
    entries: query.data?.entries,
    getName: ({ name }) => name,
    createCopy: (pattern, name) =>
      call(memoryPatterns.create, { body: { ...toPatternBody(toPatternValues(pattern)), name } }),
    remove: ({ id }) => call(memoryPatterns.remove, { params: { id } }),
    reload: () => queryClient.invalidateQueries({ queryKey: patternsKey }),
    deleteWarning: 'A pattern in use by keepers can’t be deleted.',
  })
  return (
    <CatalogPage
      title="Memory Patterns"
      subtitle="A memory pattern defines how a keeper remembers, and from which entries."
      createdHint="Keepers can now use this pattern."
      query={query}
      catalog={catalog}
      renderForm={({ entry, ...form }) => <PatternForm key={entry?.id ?? 'new'} pattern={entry} {...form} />}
      renderCard={(pattern, actions) => (
        <PatternCard
          pattern={pattern}
          count={pattern._count.Keeper}
          actions={actions && <CardActions {...actions} />}
        />
      )}
    />
  )
}
