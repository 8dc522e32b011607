import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { RunDetail } from '#contract/agents/runs.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { getSessionPath, getVersionPath, getWorkspacePath } from '../agent-addresses.ts'
import { useAgentList } from '../agent-queries.ts'
import { AgentSeal } from '../agent-seal.tsx'
import { formatFullTime, getRunUserName } from './log-texts.ts'
import { MockBadge, RunStatusBadge } from './run-status-badge.tsx'
import { formatDuration, formatRunCost, getKeyText, originLabels } from './run-texts.ts'
import { isOwnRun, useElapsedMs } from './use-live-run.ts'

const linkClasses = 'rounded-xs text-foreground underline underline-offset-2'

export function RunDetails({ run }: { run: RunDetail }) {
  const { agent, usage, session_id: sessionId } = run
  const elapsedMs = useElapsedMs(run)
  const running = run.status === 'running'
  const tokens = usage.input_tokens + usage.output_tokens
  const details: [name: string, value: ReactNode][] = [
    [
      'Model',
      <>
        {getProviderName(run.model_provider)} <span className="font-mono text-[0.71875rem]">{run.model}</span>
      </>,
    ],
    ['Key', getKeyText(run, isOwnRun(run))],
    ['Origin', originLabels[run.origin]],
    ['Attempts', run.attempts],
  ]
  if (sessionId && agent)
    details.push([
      'Session',
      <Link
        key="session"
        to={getSessionPath(agent.slug, sessionId)}
        className={`${linkClasses} font-mono text-[0.71875rem]`}
      >
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
            <RunAgentName run={run} />{' '}
            {agent && run.origin !== 'trial' && <VersionLink agent={agent} version={run.agent_version} />}
          </h2>
          <p className="text-small text-muted-foreground tabular-nums">
            {formatFullTime(run.created_at)}. Run by {getRunUserName(run.user)}
          </p>
        </div>
        <dl className="flex gap-4">
          <Metric label="duration" value={formatDuration(running ? elapsedMs : run.execution_time_ms)} />
          <Metric label={usage.estimated ? 'tokens (approx.)' : 'tokens'} value={tokens.toLocaleString('en-US')} />
          <Metric label="cost" value={formatRunCost(usage.cost_usd)} />
        </dl>
        <div className="flex flex-wrap gap-1.5">
          {run.overrides && <Badge tone="info">with changes</Badge>}
          {run.mock_mode && <MockBadge />}
          <RunStatusBadge status={run.status} />
        </div>
      </div>
      <dl className="mt-2.5 flex flex-wrap gap-x-5 gap-y-1 text-small">
        {details.map(([name, value]) => (
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

function RunAgentName({ run: { agent, origin } }: { run: RunDetail }) {
  if (!agent) return 'Unknown Agent'
  if (origin === 'trial') return agent.name
  return (
    <Link dir="auto" to={getWorkspacePath(agent.slug)} className="rounded-xs hover:underline">
      {agent.name}
    </Link>
  )
}

function VersionLink({ agent, version }: { agent: NonNullable<RunDetail['agent']>; version: number }) {
  const { data } = useAgentList()
  const canEdit = data?.agents.some(({ id, may }) => id === agent.id && may.edit)
  const versionClasses = 'font-sans text-small font-label text-muted-foreground'
  if (!canEdit) return <span className={versionClasses}>v{version}</span>
  return (
    <Link
      to={getVersionPath(agent.id, version)}
      aria-label={`v${version}, the version of ${agent.name} that ran`}
      className={`${versionClasses} inline-flex min-h-6 min-w-6 items-center justify-center rounded-xs underline underline-offset-2`}
    >
      v{version}
    </Link>
  )
}

function Metric({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex flex-col-reverse text-end leading-4 phone:text-start">
      <dt className="text-micro text-muted-foreground">{label}</dt>
      <dd className="font-serif text-[1.1875rem] leading-5 font-book tabular-nums">{value}</dd>
    </div>
  )
}
