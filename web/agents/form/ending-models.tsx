import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { agents } from '#contract/agents/agents.ts'
import { type EndingModel, type ModelDetails, models } from '#contract/agents/models.ts'
import { versions } from '#contract/agents/versions.ts'
import { call } from '#web/api.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { showToast } from '#web/ui/show-toast.tsx'
import { editAddress } from '../agent-addresses.ts'
import { agentsKey } from '../agent-queries.ts'
import { reasonText } from '../runs/reason-text.ts'

/** Below the key of agents, so that it is asked again whenever one of them changes. */
const endingModelsKey = [...agentsKey, 'ending-models'] as const
const staleMs = 5 * 60_000

/** Agents one may edit whose model is shut down or will be soon. Without an answer there are none to speak of. */
export function useEndingModels(): EndingModel[] {
  const { data } = useQuery({
    queryKey: endingModelsKey,
    queryFn: ({ signal }) => call(models.ending, { signal }),
    staleTime: staleMs,
    retry: false,
  })
  return Array.isArray(data) ? data : []
}

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** 'Shut down', 'Shuts down Jan 14, 2027', 'Deprecated'; undefined for a model that stays. */
export function endingText({
  status,
  shutdown_date,
}: Pick<ModelDetails, 'status' | 'shutdown_date'>): string | undefined {
  if (status === 'available') return undefined
  if (status === 'shut-down') return 'Shut down'
  return shutdown_date ? `Shuts down ${dayFormat.format(new Date(shutdown_date))}` : 'Deprecated'
}

export function EndingBadge({ model }: { model: Pick<ModelDetails, 'status' | 'shutdown_date'> }) {
  const text = endingText(model)
  if (!text) return null
  return <Badge tone={model.status === 'shut-down' ? 'destructive' : 'warning'}>{text}</Badge>
}

/** A line of what waits: the agent, what its model comes to, and the switch. */
export function waitingLine(ending: EndingModel) {
  const { agent_id, agent_name, model } = ending
  const places = [{ to: editAddress(agent_id), text: `Model ${model}: ${endingText(ending)}` }]
  return { keeperId: agent_id, title: agent_name, places, action: <SwitchModelButton ending={ending} /> }
}

/** Gives an agent the replacement of its model as a new version, which one more click takes back. */
export function SwitchModelButton({ ending, className }: { ending: EndingModel; className?: string }) {
  const queries = useQueryClient()
  const { agent_id, agent_name, rev, replacement } = ending
  const change = useMutation({
    mutationFn: (model: string) => call(agents.update, { body: { id: agent_id, model }, ifMatch: rev }),
    onSuccess(_, model) {
      void showToast(`${agent_name} now uses ${model}.`, { onUndo: undo, staysMilliseconds: 10_000 })
    },
    onError: (reason) => void showToast(reasonText(reason, 'Failed to update agent')),
    onSettled: () => queries.invalidateQueries({ queryKey: agentsKey }),
  })

  async function undo() {
    try {
      await call(versions.restore, { params: { agentId: agent_id, version: rev } })
    } catch (reason) {
      void showToast(reasonText(reason, 'Failed to update agent'))
    }
    await queries.invalidateQueries({ queryKey: agentsKey })
  }

  if (replacement === null) return null
  return (
    <Button size="small" busy={change.isPending} onClick={() => change.mutate(replacement)} className={className}>
      Switch to {replacement}
      <span className="sr-only"> in {agent_name}</span>
    </Button>
  )
}
