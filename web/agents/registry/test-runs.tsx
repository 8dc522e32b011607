import { Square } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { Button } from '#web/ui/controls/button.tsx'
import { MessageDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { getRunPath } from '../agent-addresses.ts'
import { AgentSeal } from '../agent-seal.tsx'
import { RunAnswer } from '../runs/run-answer.tsx'
import { MockBadge } from '../runs/run-status-badge.tsx'
import { getRunFailureText } from '../runs/run-texts.ts'
import type { ActiveRun, RunOutcome } from './use-test-runs.ts'

export interface TestRunsProps {
  activeRuns: ActiveRun[]
  outcome: RunOutcome | undefined
  onClose: () => void
}

export function TestRuns({ activeRuns, outcome, onClose }: TestRunsProps) {
  return (
    <>
      {activeRuns.length > 0 && (
        <section
          aria-label="Running agents"
          className="sticky bottom-4 z-20 mt-5 max-h-[50dvh] animate-fade overflow-y-auto rounded-lg border border-border bg-popover shadow-e3 phone:bottom-2"
        >
          <ul>
            {activeRuns.map((activeRun) => (
              <RunningAgent key={activeRun.agent.id} {...activeRun} />
            ))}
          </ul>
        </section>
      )}
      {outcome && <OutcomeDialog outcome={outcome} onClose={onClose} />}
    </>
  )
}

function RunningAgent({ agent, run }: ActiveRun) {
  const view = useSyncExternalStore(run.subscribe, run.getSnapshot)
  return (
    <li className="flex gap-3 border-b border-hairline px-4 py-3 last:border-b-0">
      <AgentSeal agent={agent} size={30} className="shrink-0" />
      <div className="min-w-0 flex-1">
        <h3 dir="auto" className="font-sans text-ui font-semibold tracking-normal">
          {agent.name}
        </h3>
        <RunAnswer view={view} agentSlug={agent.slug} />
      </div>
      <Button
        size="small"
        disabled={!view.runId}
        busy={view.stopping}
        onClick={() => void run.stop()}
        icon={<Square aria-hidden size={12} />}
      >
        Stop
      </Button>
    </li>
  )
}

function OutcomeDialog({ outcome: { agent, input, view }, onClose }: { outcome: RunOutcome; onClose: () => void }) {
  const { status, text, ms, reason, runId, mock, offline } = view
  const succeeded = status === 'success'
  return (
    <MessageDialog
      open
      onOpenChange={(open) => !open && onClose()}
      message={succeeded ? `Agent executed successfully in ${ms}ms` : 'Agent execution failed'}
    >
      {!succeeded && <p className="wrap-break-word text-foreground">{getRunFailureText(status, reason)}</p>}
      <p>
        <bdi>{agent.name}</bdi> was asked: “<bdi>{input}</bdi>”
      </p>
      {text && (
        <p
          dir="auto"
          className="mt-2 line-clamp-6 font-serif text-[1rem] leading-6 wrap-break-word whitespace-pre-line text-foreground"
        >
          {text}
        </p>
      )}
      <p className="mt-2.5 flex flex-wrap items-center gap-x-3 gap-y-1">
        {mock && <MockBadge />}
        {mock && (offline ? 'The server can’t be reached.' : 'No key was set, so no model was called.')}
        {runId && (
          <Link to={getRunPath(runId)} onClick={onClose} className="rounded-xs text-foreground underline">
            View run
          </Link>
        )}
      </p>
    </MessageDialog>
  )
}
