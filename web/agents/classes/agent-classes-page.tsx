import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type AgentClassEntry, agentClassCalls } from '#contract/agents/agent-classes.ts'
import { call } from '#web/api/api.ts'
import { CardActions } from '#web/catalog/catalog-cards.tsx'
import { CatalogPage } from '#web/catalog/catalog-page.tsx'
import { useCatalog } from '#web/catalog/use-catalog.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { useFillAgentForm } from '../form/agent-editor.tsx'
import { ClassCard, ClassForm } from './class-form.tsx'
import { classesKey, classesQuery } from './class-queries.ts'
import { toAgentValues, toClassBody, toClassValues } from './class-values.ts'

export function AgentClassesPage() {
  const queryClient = useQueryClient()
  const query = useQuery(classesQuery)
  const { fillForm, replaceDialog } = useFillAgentForm('Starting an agent of this class replaces them.')
  const catalog = useCatalog<AgentClassEntry>({
    noun: 'class',
    entries: query.data?.entries,
    getName: ({ name }) => name,
    createCopy: (entry, name) => call(agentClassCalls.create, { body: { ...toClassBody(toClassValues(entry)), name } }),
    remove: ({ id }) => call(agentClassCalls.remove, { params: { id } }),
    reload: () => queryClient.invalidateQueries({ queryKey: classesKey }),
    deleteWarning: 'A class that agents use can’t be deleted.',
  })

  return (
    <>
      <CatalogPage
        title="Agent Classes"
        subtitle="A class is the starting point for new agents."
        createdHint="You can create agents with it."
        query={query}
        catalog={catalog}
        renderForm={(form) => <ClassForm key={form.entry?.id ?? 'new'} {...form} />}
        renderCard={(entry, actions) => (
          <ClassCard
            entry={entry}
            count={entry._count.Agent}
            actions={
              actions &&
              (entry.base === 'Persona' ? (
                <CardActions {...actions} onDuplicate={undefined} />
              ) : (
                <>
                  <Button
                    size="small"
                    aria-label={`New agent from ${entry.name}`}
                    onClick={() => fillForm(toAgentValues(entry))}
                    icon={<Plus aria-hidden size={13} />}
                  >
                    New agent
                  </Button>
                  <CardActions {...actions} />
                </>
              ))
            }
          />
        )}
      />
      {replaceDialog}
    </>
  )
}
