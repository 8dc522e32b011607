import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type ModelDetails, models, type RetiringModel } from '#contract/agents/models.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import { getEditPath } from '../agent-addresses.ts'
import { agentsKey } from '../agent-queries.ts'
import { useSwitchModel } from '../succession/use-switch-model.ts'

const CompareModels = lazy(() => import('../succession/compare-models.tsx'))

/** Under agentsKey, so that agent changes refetch it. */
const retiringModelsKey = [...agentsKey, 'retiring-models'] as const
const staleMs = 5 * 60_000

/** Editable agents whose model is or will be shut down; empty while unknown. */
export function useRetiringModels(): RetiringModel[] {
  const { data } = useQuery({
    queryKey: retiringModelsKey,
    queryFn: ({ signal }) => call(models.retiring, { signal }),
    staleTime: staleMs,
    retry: false,
  })
  return Array.isArray(data) ? data : []
}

export function RetirementBadge({ model }: { model: Pick<ModelDetails, 'status' | 'shutdown_date'> }) {
  const text = getRetirementText(model)
  if (!text) return null
  return <Badge tone={model.status === 'shut-down' ? 'destructive' : 'warning'}>{text}</Badge>
}

export function getWaitingItem(retiringModel: RetiringModel) {
  const { agent_id, agent_name, model } = retiringModel
  return {
    id: `model ${agent_id}`,
    title: agent_name,
    to: getEditPath(agent_id),
    text: `Model ${model}: ${getRetirementText(retiringModel)}`,
    action: <SwitchModelButton retiringModel={retiringModel} className="ms-auto" />,
  }
}

/** Switches to the replacement model, comparing candidates first if there are golden questions. */
export function SwitchModelButton({ retiringModel, className }: { retiringModel: RetiringModel; className?: string }) {
  const { agent_id: id, agent_name: name, rev, provider, model, replacement, can_compare: canCompare } = retiringModel
  const [isComparing, setIsComparing] = useState(false)
  const switchMutation = useSwitchModel({ id, name, rev })

  if (replacement === null) return null
  return (
    <>
      <Button
        size="small"
        busy={switchMutation.isPending}
        onClick={() => (canCompare ? setIsComparing(true) : switchMutation.mutate({ model: replacement }))}
        className={className}
      >
        Switch to {replacement}
        <span className="sr-only"> in {name}</span>
      </Button>
      {isComparing && (
        <Suspense fallback={null}>
          <CompareModels
            agent={{ id, name, rev, provider, model, replacement }}
            onClose={() => setIsComparing(false)}
          />
        </Suspense>
      )}
    </>
  )
}

/** 'Shut down', 'Shuts down Jan 14, 2027', 'Deprecated'; undefined for available models. */
export function getRetirementText({
  status,
  shutdown_date,
}: Pick<ModelDetails, 'status' | 'shutdown_date'>): string | undefined {
  if (status === 'available') return undefined
  if (status === 'shut-down') return 'Shut down'
  return shutdown_date ? `Shuts down ${formatTime(shutdown_date, 'date', 'UTC')}` : 'Deprecated'
}
