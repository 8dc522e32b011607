import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { type AgentClassEntry, agentClassCalls } from '#contract/agents/agent-classes.ts'
import { call } from '#web/api.ts'
import { getCopyName } from '#web/shell/copy-name.ts'
import { RegistryCardActions, RegistryCards } from '#web/shell/registry-cards.tsx'
import { useRegistryList } from '#web/shell/use-registry-list.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { newAgentPath } from '../agent-addresses.ts'
import { createAgentDraft } from '../form/agent-draft.ts'
import { ClassCard } from './class-card.tsx'
import { ClassForm } from './class-form.tsx'
import { classesKey, classesQuery } from './class-queries.ts'
import { toAgentValues, toClassBody, toClassValues } from './class-values.ts'

export function AgentClassesPage() {
  const queryClient = useQueryClient()
  const query = useQuery(classesQuery)
  const { data } = query
  const [params, setParams] = useSearchParams()
  const [pendingEntry, setPendingEntry] = useState<AgentClassEntry>()
  const navigate = useNavigate()
  const editing = data?.entries.find(({ id, mine: isOwner }) => isOwner && id === params.get('edit'))
  const tab = params.get('tab') === 'create' || editing ? 'create' : 'registry'
  const isLive = data?.from === 'server'
  const openView = (address: Record<string, string>) => setParams(address)

  function fillAgentForm(entry: AgentClassEntry) {
    createAgentDraft(null).write({ values: toAgentValues(entry), rev: null, slugTyped: false })
    navigate(newAgentPath)
  }
  function fillOrConfirm(entry: AgentClassEntry) {
    if (createAgentDraft(null).read()) setPendingEntry(entry)
    else fillAgentForm(entry)
  }
  const registryList = useRegistryList<AgentClassEntry>({
    getName: ({ name }) => name,
    createCopy: (entry) => {
      const name = getCopyName(entry.name, data?.entries.map((other) => other.name) ?? [])
      return call(agentClassCalls.create, { body: { ...toClassBody(toClassValues(entry)), name } })
    },
    remove: ({ id }) => call(agentClassCalls.remove, { params: { id } }),
    reload: () => queryClient.invalidateQueries({ queryKey: classesKey }),
    deleteLabel: 'Delete class',
    deleteWarning: 'This can’t be undone. A class that agents use can’t be deleted.',
  })

  return (
    <>
      <PageHeader title="Agent Classes" subtitle="A class is the starting point for new agents." />
      <Tabs
        label="Agent Classes"
        tabs={[
          { id: 'registry', label: 'Registry', ...(data && { count: data.entries.length }) },
          { id: 'create', label: editing ? 'Edit' : 'Create' },
        ]}
        value={tab}
        onValueChange={(id) => openView(id === 'create' ? { tab: 'create' } : {})}
      >
        {tab === 'create' ? (
          <ClassForm
            key={editing?.id ?? 'new'}
            entry={editing ?? null}
            onCancel={() => openView({})}
            onSaved={(saved) => {
              registryList.showNotice(
                editing ? `Saved ${saved.name}.` : `Created ${saved.name}. You can create agents with it.`,
              )
              openView({})
            }}
          />
        ) : (
          <>
            {registryList.notices}
            <RegistryCards label="Agent classes" query={query} loadErrorText="Failed to load agent classes">
              {data?.entries.map((entry) => (
                <li key={entry.id} className="min-w-0">
                  <ClassCard
                    entry={entry}
                    count={entry._count.Agent}
                    actions={
                      isLive && (
                        <>
                          {entry.base !== 'Persona' && (
                            <Button
                              size="small"
                              variant="primary"
                              aria-label={`New agent from ${entry.name}`}
                              onClick={() => fillOrConfirm(entry)}
                              icon={<Plus aria-hidden size={13} />}
                            >
                              New agent
                            </Button>
                          )}
                          <RegistryCardActions
                            name={entry.name}
                            isOwner={entry.mine}
                            onEdit={() => openView({ edit: entry.id })}
                            onDuplicate={entry.base === 'Persona' ? undefined : () => registryList.duplicate(entry)}
                            onDelete={() => registryList.confirmDelete(entry)}
                          />
                        </>
                      )
                    }
                  />
                </li>
              ))}
            </RegistryCards>
          </>
        )}
      </Tabs>
      <ConfirmDialog
        open={pendingEntry !== undefined}
        onOpenChange={(isOpen) => !isOpen && setPendingEntry(undefined)}
        title="Replace your unsaved changes?"
        confirmLabel="Replace"
        onConfirm={() => pendingEntry && fillAgentForm(pendingEntry)}
      >
        The new agent form has unsaved changes. Starting an agent of this class replaces them.
      </ConfirmDialog>
      {registryList.dialog}
    </>
  )
}
