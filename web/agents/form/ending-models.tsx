import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type EndingModel, type ModelDetails, models } from '#contract/agents/models.ts'
import { call } from '#web/api.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { editAddress } from '../agent-addresses.ts'
import { agentsKey } from '../agent-queries.ts'
import { useSwitchModel } from '../succession/use-switch-model.ts'
import { endingText } from './ending-text.ts'

const CompareModels = lazy(() => import('../succession/compare-models.tsx'))

/** Under agentsKey, so that agent changes refetch it. */
const endingModelsKey = [...agentsKey, 'ending-models'] as const
const staleMs = 5 * 60_000

/** Editable agents whose model is or will be shut down; empty while unknown. */
export function useEndingModels(): EndingModel[] {
  const { data } = useQuery({
    queryKey: endingModelsKey,
    queryFn: ({ signal }) => call(models.ending, { signal }),
    staleTime: staleMs,
    retry: false,
  })
  return Array.isArray(data) ? data : []
}

export function EndingBadge({ model }: { model: Pick<ModelDetails, 'status' | 'shutdown_date'> }) {
  const text = endingText(model)
  if (!text) return null
  return <Badge tone={model.status === 'shut-down' ? 'destructive' : 'warning'}>{text}</Badge>
}

/** A row for Waiting for you. */
export function waitingLine(ending: EndingModel) {
  const { agent_id, agent_name, model } = ending
  const places = [{ to: editAddress(agent_id), text: `Model ${model}: ${endingText(ending)}` }]
  return { keeperId: agent_id, title: agent_name, places, action: <SwitchModelButton ending={ending} /> }
}

/** Switches to the replacement model, comparing candidates first if there are golden questions. */
export function SwitchModelButton({ ending, className }: { ending: EndingModel; className?: string }) {
  const { agent_id: id, agent_name: name, rev, provider, model, replacement, can_compare: canCompare } = ending
  const [isComparing, setIsComparing] = useState(false)
  const change = useSwitchModel({ id, name, rev })

  if (replacement === null) return null
  return (
    <>
      <Button
        size="small"
        busy={change.isPending}
        onClick={() => (canCompare ? setIsComparing(true) : change.mutate({ model: replacement }))}
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
