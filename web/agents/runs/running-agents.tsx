import { Square } from 'lucide-react'
import { useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { AgentSeal } from '../agent-seal.tsx'
import { getReasonText } from './reason-text.ts'
import { RunAnswer } from './run-answer.tsx'
import type { RunView } from './run-view.ts'

export interface ActiveRun {
  agent: Agent
  view: RunView
}

export function RunningAgents({ runs: activeRuns }: { runs: ActiveRun[] }) {
  if (activeRuns.length === 0) return null
  return (
    <section
      aria-label="Running agents"
      className="sticky bottom-4 z-20 mt-5 max-h-[50dvh] animate-fade overflow-y-auto rounded-lg border border-border bg-popover shadow-e3 phone:bottom-2"
    >
      <ul>
        {activeRuns.map(({ agent, view }) => (
          <li key={agent.id} className="flex gap-3 border-b border-hairline px-4 py-3 last:border-b-0">
            <AgentSeal agent={agent} size={30} className="shrink-0" />
            <div className="min-w-0 flex-1">
              <h3 className="font-sans text-ui font-semibold tracking-normal">{agent.name}</h3>
              <RunAnswer view={view} agentSlug={agent.slug} />
            </div>
            <StopButton runId={view.runId} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function StopButton({ runId }: { runId: string | undefined }) {
  const [stopping, setStopping] = useState(false)
  const [problem, setProblem] = useState<string>()
  async function stop() {
    if (!runId) return
    setStopping(true)
    setProblem(undefined)
    try {
      await call(runs.stop, { params: { runId } })
    } catch (reason) {
      setProblem(getReasonText(reason))
    } finally {
      setStopping(false)
    }
  }
  return (
    <div className="flex shrink-0 flex-col items-end gap-1">
      <Button size="small" disabled={!runId} busy={stopping} onClick={stop} icon={<Square aria-hidden size={12} />}>
        Stop
      </Button>
      {problem && (
        <p role="alert" className="max-w-40 text-small text-destructive">
          {problem}
        </p>
      )}
    </div>
  )
}
