import { Check, X } from 'lucide-react'
import { createContext, memo, use } from 'react'
import { AgentText } from '#web/agents/agent-text.tsx'
import { formatDuration, formatRunCost } from '#web/agents/runs/run-texts.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Badge, type BadgeTone } from '#web/ui/panels/badge.tsx'
import { FrameIcon } from '../../frames/frame-icons.tsx'
import type { RunAgent, RunAgentSnapshot, RunAgentState } from './run-agents.ts'

/** Keyed by the ID of the agent's span. */
export const RunSnapshots = createContext<ReadonlyMap<string, RunAgentSnapshot>>(new Map())

const stateTones: Record<RunAgentState, BadgeTone> = {
  waiting: 'neutral',
  running: 'info',
  done: 'success',
  failed: 'destructive',
}
const stateClasses: Record<RunAgentState, string> = {
  waiting: 'border-border opacity-80',
  running: 'run-frame-running',
  done: 'border-border',
  failed: 'border-destructive',
}

interface RunAgentFrameProps {
  agent: RunAgent
  /** Inputs and outputs are visible only to the person who ran it. */
  hasHiddenContent: boolean
}

export function RunAgentFrame({ agent, hasHiddenContent }: RunAgentFrameProps) {
  const snapshot = use(RunSnapshots).get(agent.id)
  if (!snapshot) return null
  const { name, kind } = agent.span
  const { state, activity, model, usage, elapsedMs, output } = snapshot
  return (
    <section
      aria-label={name}
      data-run-agent={agent.span.agent_slug ?? ''}
      data-state={state}
      className={classNames(
        'flex h-full min-h-0 min-w-0 flex-col overflow-hidden rounded-lg border bg-card text-card-foreground shadow-e2 transition-[border-color,opacity] duration-200 motion-reduce:transition-none',
        stateClasses[state],
      )}
    >
      <header className="flex shrink-0 items-center gap-2 border-b border-border px-3 py-1.5">
        <FrameIcon name={kind === 'coordinator' ? 'network' : 'stamp'} />
        <h3 dir="auto" className="min-w-0 grow truncate font-sans text-ui leading-5 font-semibold tracking-normal">
          {name}
        </h3>
        <Badge tone={stateTones[state]} dot={state === 'running'} icon={stateIcons[state]}>
          {state}
        </Badge>
      </header>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long content scrolls by keyboard
        tabIndex={0}
        aria-label={`Output of ${name}`}
        className="keeps-wheel nowheel min-h-0 grow overflow-auto px-3 py-2 focus-visible:-outline-offset-2"
      >
        {output !== '' ? (
          <div className="font-serif text-[0.9375rem] leading-[1.375rem] wrap-anywhere">
            <MemoizedAgentText text={output} streaming={state === 'running'} />
          </div>
        ) : (
          <p className="text-small text-muted-foreground">
            {hasHiddenContent && state !== 'waiting' ? 'Visible only to the person who started this run.' : activity}
          </p>
        )}
        {output !== '' && state !== 'done' && (
          <p
            className={classNames(
              'mt-1.5 text-small',
              state === 'failed' ? 'text-destructive' : 'text-muted-foreground',
            )}
          >
            {activity}
          </p>
        )}
      </section>
      <dl className="grid shrink-0 grid-cols-[minmax(0,1fr)_auto_auto_auto] gap-x-3 border-t border-hairline px-3 py-1.5 text-micro">
        <AgentMetric label="model" value={model ?? '–'} mono />
        <AgentMetric
          label={usage.estimated ? 'in, out (approx.)' : 'in, out'}
          value={`${formatTokens(usage.input_tokens)}, ${formatTokens(usage.output_tokens)}`}
        />
        <AgentMetric label="cost" value={formatRunCost(usage.cost_usd)} />
        <AgentMetric label="time" value={formatDuration(elapsedMs)} />
      </dl>
    </section>
  )
}

const stateIcons = {
  waiting: undefined,
  running: undefined,
  done: <Check aria-hidden size={11} strokeWidth={2.4} />,
  failed: <X aria-hidden size={11} strokeWidth={2.4} />,
}

/** Memoized: the clock rerenders the frame on every tick. */
const MemoizedAgentText = memo(AgentText)

function AgentMetric({ label, value, mono = false }: { label: string; value: string; mono?: boolean }) {
  return (
    <div className="min-w-0">
      <dt className="truncate text-muted-foreground">{label}</dt>
      <dd className={classNames('truncate text-small tabular-nums', mono && 'font-mono text-[0.71875rem]')}>{value}</dd>
    </div>
  )
}

const formatTokens = (tokens: number) => tokens.toLocaleString('en-US')
