import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { type AgentClassEntry, agentClassCalls } from '#contract/agents/agent-classes.ts'
import { call } from '#web/api.ts'
import { MadeCards, MadeDeeds } from '#web/shell/made-cards.tsx'
import { nameOfCopy } from '#web/shell/name-of-copy.ts'
import { useMadeList } from '#web/shell/use-made-list.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { newAgentAddress } from '../agent-addresses.ts'
import { agentDraft } from '../form/agent-draft.ts'
import { ClassCard } from './class-card.tsx'
import { ClassForm } from './class-form.tsx'
import { classesKey, classesQuery } from './class-queries.ts'
import { agentOfClass, bodyOfClass, valuesOfClass } from './class-values.ts'

export function AgentClassesPage() {
  const queries = useQueryClient()
  const query = useQuery(classesQuery)
  const { data } = query
  const [params, setParams] = useSearchParams()
  const [filling, setFilling] = useState<AgentClassEntry>()
  const navigate = useNavigate()
  const editing = data?.entries.find(({ id, mine }) => mine && id === params.get('edit'))
  const tab = params.get('tab') === 'create' || editing ? 'create' : 'registry'
  const live = data?.from === 'server'
  const open = (address: Record<string, string>) => setParams(address)

  function fill(entry: AgentClassEntry) {
    agentDraft(null).write({ values: agentOfClass(entry), rev: null, slugTyped: false })
    navigate(newAgentAddress)
  }
  function askToFill(entry: AgentClassEntry) {
    if (agentDraft(null).read()) setFilling(entry)
    else fill(entry)
  }
  const list = useMadeList<AgentClassEntry>({
    nameOf: ({ name }) => name,
    makeCopy: (entry) => {
      const name = nameOfCopy(entry.name, data?.entries.map((other) => other.name) ?? [])
      return call(agentClassCalls.create, { body: { ...bodyOfClass(valuesOfClass(entry)), name } })
    },
    remove: ({ id }) => call(agentClassCalls.remove, { params: { id } }),
    changed: () => queries.invalidateQueries({ queryKey: classesKey }),
    deleteLabel: 'Delete class',
    deleteWords: 'This can’t be undone. A class that agents use can’t be deleted.',
  })

  return (
    <>
      <PageHeader title="Agent Classes" sub="A class is the starting point for new agents." />
      <Tabs
        label="Agent Classes"
        tabs={[
          { id: 'registry', label: 'Registry', ...(data && { count: data.entries.length }) },
          { id: 'create', label: editing ? 'Edit' : 'Create' },
        ]}
        value={tab}
        onValueChange={(id) => open(id === 'create' ? { tab: 'create' } : {})}
      >
        {tab === 'create' ? (
          <ClassForm
            key={editing?.id ?? 'new'}
            entry={editing ?? null}
            onCancel={() => open({})}
            onSaved={(saved) => {
              list.tell(editing ? `Saved ${saved.name}.` : `Created ${saved.name}. You can create agents with it.`)
              open({})
            }}
          />
        ) : (
          <>
            {list.notices}
            <MadeCards label="Agent classes" query={query} failedToLoad="Failed to load agent classes">
              {data?.entries.map((entry) => (
                <li key={entry.id} className="min-w-0">
                  <ClassCard
                    entry={entry}
                    count={entry._count.Agent}
                    actions={
                      live && (
                        <>
                          {entry.base !== 'Persona' && (
                            <Button
                              size="small"
                              variant="primary"
                              aria-label={`New agent of ${entry.name}`}
                              onClick={() => askToFill(entry)}
                              icon={<Plus aria-hidden size={13} />}
                            >
                              New agent
                            </Button>
                          )}
                          <MadeDeeds
                            name={entry.name}
                            mine={entry.mine}
                            onEdit={() => open({ edit: entry.id })}
                            onDuplicate={entry.base === 'Persona' ? undefined : () => list.duplicate(entry)}
                            onDelete={() => list.askToDelete(entry)}
                          />
                        </>
                      )
                    }
                  />
                </li>
              ))}
            </MadeCards>
          </>
        )}
      </Tabs>
      <ConfirmDialog
        open={filling !== undefined}
        onOpenChange={(isOpen) => !isOpen && setFilling(undefined)}
        title="Replace what is in the form?"
        confirmLabel="Replace"
        onConfirm={() => filling && fill(filling)}
      >
        The new agent form has unsaved changes. Starting an agent of this class replaces them.
      </ConfirmDialog>
      {list.dialog}
    </>
  )
}
