import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { RunDetail } from '#contract/agents/runs.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { Badge } from '#web/ui/badge.tsx'
import { sessionAddress, versionAddress, workspaceAddress } from '../agent-addresses.ts'
import { useAgentList } from '../agent-queries.ts'
import { AgentSeal } from '../agent-seal.tsx'
import { wholeTime } from './log-times.ts'
import { userName } from './log-words.ts'
import { RunStatusBadge } from './run-status-badge.tsx'
import { originWords, spokenCost, spokenMs, whoseKey } from './run-words.ts'
import { useElapsed } from './use-elapsed.ts'
import { isOwn } from './use-live-run.ts'

const link = 'rounded-xs text-foreground underline underline-offset-2'

export function RunFacts({ run }: { run: RunDetail }) {
  const { agent, usage, session_id: sessionId } = run
  const elapsed = useElapsed(run)
  const running = run.status === 'running'
  const tokens = usage.input_tokens + usage.output_tokens
  const facts: [name: string, value: ReactNode][] = [
    [
      'Model',
      <>
        {getProviderName(run.model_provider)} <span className="font-mono text-[11.5px]">{run.model}</span>
      </>,
    ],
    ['Key', whoseKey(run, isOwn(run))],
    ['Origin', originWords[run.origin]],
    ['Attempts', run.attempts],
  ]
  if (sessionId && agent)
    facts.push([
      'Session',
      <Link key="session" to={sessionAddress(agent.slug, sessionId)} className={`${link} font-mono text-[11.5px]`}>
        {sessionId.slice(0, 8)}
      </Link>,
    ])
  return (
    <header className="border-b border-border px-[18px] py-3.5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
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
            )}{' '}
            {agent && <Version agent={agent} version={run.agent_version} />}
          </h2>
          <p className="text-small text-muted-foreground tabular-nums">
            {wholeTime(run.created_at)}. Run by {userName(run.user)}
          </p>
        </div>
        <dl className="flex gap-4">
          <Figure label="duration" value={spokenMs(running ? elapsed : run.execution_time_ms)} />
          <Figure label={usage.estimated ? 'tokens, about' : 'tokens'} value={tokens.toLocaleString('en-US')} />
          <Figure label="cost" value={spokenCost(usage.cost_usd)} />
        </dl>
        <div className="flex flex-wrap gap-1.5">
          {run.overrides && <Badge tone="info">with changes</Badge>}
          {run.mock_mode && <Badge tone="warning">mock_mode</Badge>}
          <RunStatusBadge status={run.status} />
        </div>
      </div>
      <dl className="mt-2.5 flex flex-wrap gap-x-5 gap-y-1 text-small">
        {facts.map(([name, value]) => (
          <div key={name} className="flex gap-1.5">
            <dt className="text-muted-foreground">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {run.notes.map((note) => (
        <p key={note} className="mt-1.5 text-small text-muted-foreground">
          {note}
        </p>
      ))}
    </header>
  )
}

/** Links to the version for editors. */
function Version({ agent, version }: { agent: NonNullable<RunDetail['agent']>; version: number }) {
  const { data } = useAgentList()
  const mayEdit = data?.agents.some(({ id, may }) => id === agent.id && may.edit)
  const look = 'font-sans text-small font-label text-muted-foreground'
  if (!mayEdit) return <span className={look}>v{version}</span>
  return (
    <Link
      to={versionAddress(agent.id, version)}
      aria-label={`v${version}, the version of ${agent.name} that ran`}
      className={`${look} inline-flex min-h-6 min-w-6 items-center justify-center rounded-xs underline underline-offset-2`}
    >
      v{version}
    </Link>
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
