import { lazy, Suspense } from 'react'
import { isSampleAgent } from '#contract/samples/sample-agents.ts'
import { Section } from '#web/ui/panels/section.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { useAgentEditing } from '../form/agent-editor.tsx'

const SharingSection = lazy(() => import('./sharing-section.tsx'))

export function SharingPart() {
  const { agent, values } = useAgentEditing()
  if (!agent || isSampleAgent(agent) || !agent.may.share) return null
  if (agent.visibility !== 'shared')
    return values.visibility === 'shared' ? (
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
