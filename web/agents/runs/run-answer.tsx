import { RotateCw, Square } from 'lucide-react'
import { Link } from 'react-router'
import { Button } from '#web/ui/controls/button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { useNow } from '#web/ui/hooks/use-now.ts'
import { getRunPath } from '../agent-addresses.ts'
import { AgentText } from '../agent-text.tsx'
import { FootNotes, getNotes } from '../chat/foot-notes.tsx'
import { AudioOutput, findRecording } from './audio-output.tsx'
import { MockBadge, RunStatusBadge } from './run-status-badge.tsx'
import { getRunFailureText } from './run-texts.ts'
import type { RunView } from './run-view.ts'
import { ToolCallCard } from './tool-call-card.tsx'

export interface RunAnswerProps {
  view: RunView
  linked?: boolean
  hidesRunDetails?: boolean
  agentSlug?: string | undefined
  onTryAgain?: () => void
  className?: string
}

export function RunAnswer({
  view,
  linked = true,
  hidesRunDetails = false,
  agentSlug,
  onTryAgain,
  className,
}: RunAnswerProps) {
  const { status, text, runId, mock, model, usage, tools, sources, output, reason, reconnecting, stopProblem } = view
  const isRunning = status === 'running'
  const audio = findRecording(output)
  const notePrefix = `note-${runId}`
  const isAwaitingApproval = tools.some((tool) => tool.state === 'asks')
  return (
    <div className={classNames('min-w-0', className)}>
      {tools.length > 0 && (
        <ul aria-label="Tool calls" className="mb-2 grid gap-1">
          {tools.map((tool) => (
            <li key={tool.id}>
              <ToolCallCard tool={tool} runId={isRunning ? runId : undefined} agentSlug={agentSlug} />
            </li>
          ))}
        </ul>
      )}
      {audio && <AudioOutput audio={audio} />}
      <div className="font-serif text-[1rem] leading-6 wrap-break-word">
        {text === '' && isRunning ? (
          <span className="font-sans text-ui text-muted-foreground">
            {isAwaitingApproval ? 'Waiting for your approval' : 'Waiting for a response'}
          </span>
        ) : (
          <AgentText text={text} streaming={isRunning} notes={getNotes(sources, notePrefix)} />
        )}
      </div>
      <FootNotes sources={sources} prefix={notePrefix} />
      {!isRunning && status !== 'success' && (
        <p
          role="alert"
          className={status === 'stopped' ? 'mt-2 text-ui text-muted-foreground' : 'mt-2 text-ui text-destructive'}
        >
          {getRunFailureText(status, reason)}
        </p>
      )}
      {isRunning && stopProblem && (
        <p role="alert" className="mt-2 text-ui text-destructive">
          The run couldn’t be stopped: {stopProblem}
        </p>
      )}
      {onTryAgain && !isRunning && (status !== 'success' || view.offline) && (
        <Button size="small" onClick={onTryAgain} icon={<RotateCw aria-hidden size={12} />} className="mt-2">
          Try again
        </Button>
      )}
      {hidesRunDetails ? (
        reconnecting && <p className="mt-2.5 text-small text-muted-foreground">Connection lost, reconnecting</p>
      ) : (
        <p className="mt-2.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-small text-muted-foreground">
          {linked && <RunStatusBadge status={status} />}
          {reconnecting && <span>Connection lost, reconnecting</span>}
          {linked && <RunClock since={view.startedAt} ms={view.ms} running={isRunning} />}
          {usage && (
            <span className="tabular-nums">
              in {usage.input_tokens.toLocaleString('en-US')}, out {usage.output_tokens.toLocaleString('en-US')}
              {usage.estimated && ' (estimated)'}
            </span>
          )}
          {model && <span className="font-mono text-[0.71875rem]">{model}</span>}
          {mock && <MockBadge />}
          {view.offline && <span>The server can’t be reached.</span>}
          {linked && runId && (
            <Link to={getRunPath(runId)} className="rounded-xs text-foreground underline">
              View run
            </Link>
          )}
        </p>
      )}
    </div>
  )
}

export function RunClock({ since, ms, running }: { since: number; ms: number | undefined; running: boolean }) {
  const now = useNow(running, 100)
  const visibleMs = running ? Math.max(now - since, 0) : ms
  if (visibleMs === undefined) return null
  return (
    <span aria-hidden={running} className="tabular-nums">
      {visibleMs.toLocaleString('en-US')} ms
    </span>
  )
}

export interface LiveRunProps {
  view: RunView
  agentSlug: string | undefined
  onStop: () => void
}

export function LiveRun({ view, agentSlug, onStop }: LiveRunProps) {
  return (
    <div className="flex flex-col items-start gap-3 border-b border-border px-[18px] py-3.5">
      <RunAnswer view={view} agentSlug={agentSlug} linked={false} className="w-full" />
      {view.status === 'running' && (
        <Button size="small" busy={view.stopping} onClick={onStop} icon={<Square aria-hidden size={12} />}>
          Stop
        </Button>
      )}
    </div>
  )
}
