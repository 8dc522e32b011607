import { lazy, Suspense } from 'react'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { registryPath } from '../agent-addresses.ts'
import type { useAgentList } from '../agent-queries.ts'
import { AgentListFailure } from '../registry/agent-list-states.tsx'
import { useAgentEditing } from './agent-editor.tsx'

const AgentForm = lazy(() => import('./agent-form.tsx').then((module) => ({ default: module.AgentForm })))

/** State of the agent in the URL; `failed`: the agent list couldn't be loaded. */
export type AgentLoadState = 'found' | 'loading' | 'not-found' | 'failed'

export function AgentTab({ state, list }: { state: AgentLoadState; list: ReturnType<typeof useAgentList> }) {
  const { ready } = useAgentEditing()
  if (state === 'loading' || (state === 'found' && !ready)) return <FormSkeleton />
  if (state === 'failed') return <AgentListFailure list={list} />
  if (state === 'found')
    return (
      <Suspense fallback={<FormSkeleton />}>
        <AgentForm />
      </Suspense>
    )
  return (
    <EmptyPanel
      drawing="lamp"
      title="Agent not found"
      action={<LinkButton to={registryPath}>Back to the registry</LinkButton>}
    >
      This agent was deleted or isn’t shared with you.
    </EmptyPanel>
  )
}

function FormSkeleton() {
  return <SkeletonRows label="Loading the agent" count={3} rowClassName="h-40 rounded-lg" />
}
