import { Link } from 'react-router'
import type { RunDetail } from '#contract/agents/runs.ts'
import { Badge } from '#web/ui/badge.tsx'
import { workspaceAddress } from '../agent-addresses.ts'
import { AgentSeal } from '../agent-seal.tsx'
import { wholeTime } from './log-times.ts'
import { userName } from './log-words.ts'
import { RunStatusBadge } from './run-status-badge.tsx'
import { spokenCost, spokenMs } from './run-words.ts'

const keyWords = {
  personal: 'your own key',
  platform: 'the platform key',
  mock: 'no key, so a mock answer',
  none: 'no key',
} as const

export function RunFacts({ run }: { run: RunDetail }) {
  const { agent, usage } = run
  const tokens = usage.input_tokens + usage.output_tokens
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-3 border-b border-border px-[18px] py-3.5">
      <AgentSeal
        agent={{ name: agent?.name ?? '?', agent_class: agent?.agent_class ?? 'Standard' }}
        size={36}
        className="shrink-0"
      />
      <div className="min-w-40 flex-1">
        <h2 className="text-h3">
          {agent ? (
            <Link to={workspaceAddress(agent.slug)} className="rounded-xs hover:underline">
              {agent.name}
            </Link>
          ) : (
            'Unknown Agent'
          )}
        </h2>
        <p className="text-small text-muted-foreground tabular-nums">
          {wholeTime(run.created_at)}. Run by {userName(run.user)}
        </p>
        <p className="text-small text-muted-foreground">
          <span className="font-mono text-[11.5px]">{run.model}</span>, with {keyWords[run.key_source]}
          {run.attempts > 1 && `, ${run.attempts} attempts`}
        </p>
        {run.notes.map((note) => (
          <p key={note} className="text-small text-muted-foreground">
            {note}
          </p>
        ))}
      </div>
      <dl className="flex gap-4">
        <Figure label="duration" value={run.status === 'running' ? '…' : spokenMs(run.execution_time_ms)} />
        <Figure label={usage.estimated ? 'tokens, about' : 'tokens'} value={tokens.toLocaleString('en-US')} />
        <Figure label="cost" value={spokenCost(usage.cost_usd)} />
      </dl>
      <div className="flex flex-wrap gap-1.5">
        {run.mock_mode && <Badge tone="warning">mock_mode</Badge>}
        <RunStatusBadge status={run.status} />
      </div>
    </header>
  )
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex flex-col-reverse text-end leading-4 phone:text-start">
      <dt className="text-micro text-muted-foreground">{label}</dt>
      <dd className="font-serif text-[19px] leading-5 font-book tabular-nums">{value}</dd>
    </div>
  )
}
