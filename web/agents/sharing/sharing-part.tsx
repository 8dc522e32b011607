import { lazy, Suspense } from 'react'
import { isSampleAgent } from '#contract/samples/sample-agents.ts'
import { Section } from '#web/ui/panels/section.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { useAgentEditing, useAgentFields } from '../form/agent-editor.tsx'

const SharingSection = lazy(() => import('./sharing-section.tsx'))

export function SharingPart() {
  const { agent } = useAgentEditing()
  const chosenVisibility = useAgentFields().watch('visibility')
  if (!agent || isSampleAgent(agent) || !agent.may.share) return null
  if (agent.visibility !== 'shared')
    return chosenVisibility === 'shared' ? (
      <Section title="Sharing" help="Who else can use this agent.">
        <p className="text-ui text-muted-foreground">Update the agent first, then choose people here.</p>
      </Section>
    ) : null
  return (
    <Suspense fallback={<Skeleton className="my-8 h-24" />}>
      <SharingSection agent={agent} />
    </Suspense>
  )
}
