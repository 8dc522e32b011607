import { Card } from '#web/ui/panels/card.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { useAgentStats } from '../agent-queries.ts'
import { getReasonText } from '../runs/reason-text.ts'
import { formatDuration, formatRunCost } from '../runs/run-texts.ts'
import { formatCompactCount, formatCount } from './usage-format.ts'

export function AgentStats({ agentId }: { agentId: string }) {
  const { data, isError, error } = useAgentStats(agentId)
  return (
    <Card padded={false} className="px-4 py-3.5">
      <h2 className="font-sans text-ui leading-5 font-semibold tracking-normal">Usage</h2>
      {isError && (
        <p role="alert" className="mt-2 text-small text-muted-foreground">
          {getReasonText(error, 'Failed to fetch agent stats')}
        </p>
      )}
      {!data ? (
        !isError && <SkeletonRows count={3} rowClassName="h-9" className="mt-2.5 grid grid-cols-3 gap-3" />
      ) : data.runs === 0 ? (
        <p className="mt-2 text-small text-muted-foreground">No runs yet.</p>
      ) : (
        <dl className="mt-2 grid grid-cols-3 gap-x-3 gap-y-2.5">
          <Stat name="Runs" value={formatCount(data.runs)} />
          <Stat name="Errors" value={formatCount(data.errors)} isAlarming={data.errors > 0} />
          <Stat name="Mock runs" value={formatCount(data.mock_runs)} />
          <Stat name="Median time" value={formatDuration(data.p50_ms)} />
          <Stat name="Slowest 5%" value={formatDuration(data.p95_ms)} />
          <Stat name="Cost" value={formatRunCost(data.cost_usd)} />
          <Stat name="Tokens in" value={formatCompactCount(data.input_tokens)} />
          <Stat name="Tokens out" value={formatCompactCount(data.output_tokens)} />
          {data.last_run_at && <Stat name="Last run" value={<Time value={data.last_run_at} />} />}
        </dl>
      )}
    </Card>
  )
}

function Stat({ name, value, isAlarming = false }: { name: string; value: React.ReactNode; isAlarming?: boolean }) {
  return (
    <div className="min-w-0">
      <dt className="text-small text-muted-foreground">{name}</dt>
      <dd className={isAlarming ? 'text-ui font-semibold text-destructive tabular-nums' : 'text-ui tabular-nums'}>
        {value}
      </dd>
    </div>
  )
}
