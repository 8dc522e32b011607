import { Card } from '#web/ui/card.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Time } from '#web/ui/time.tsx'
import { useAgentStats } from '../agent-queries.ts'
import { reasonText } from '../runs/reason-text.ts'
import { spokenCost, spokenMs } from '../runs/run-words.ts'
import { shortCount, spokenCount } from './usage-words.ts'

export function AgentFigures({ agentId }: { agentId: string }) {
  const { data, isError, error } = useAgentStats(agentId)
  return (
    <Card padded={false} className="px-4 py-3.5">
      <h2 className="font-sans text-ui leading-5 font-semibold tracking-normal">So far</h2>
      {isError ? (
        <p className="mt-2 text-small text-muted-foreground">{reasonText(error, 'Failed to fetch agent stats')}</p>
      ) : !data ? (
        <SkeletonGroup className="mt-2.5 grid grid-cols-3 gap-3">
          {[1, 2, 3].map((figure) => (
            <Skeleton key={figure} className="h-9" />
          ))}
        </SkeletonGroup>
      ) : data.runs === 0 ? (
        <p className="mt-2 text-small text-muted-foreground">No runs yet.</p>
      ) : (
        <dl className="mt-2 grid grid-cols-3 gap-x-3 gap-y-2.5">
          <Figure name="Runs" value={spokenCount(data.runs)} />
          <Figure name="Errors" value={spokenCount(data.errors)} alarming={data.errors > 0} />
          <Figure name="Mock runs" value={spokenCount(data.mock_runs)} />
          <Figure name="p50" value={spokenMs(data.p50_ms)} />
          <Figure name="p95" value={spokenMs(data.p95_ms)} />
          <Figure name="Cost" value={spokenCost(data.cost_usd)} />
          <Figure name="Tokens in" value={shortCount(data.input_tokens)} />
          <Figure name="Tokens out" value={shortCount(data.output_tokens)} />
          {data.last_run_at && <Figure name="Last run" value={<Time value={data.last_run_at} />} />}
        </dl>
      )}
    </Card>
  )
}

function Figure({ name, value, alarming = false }: { name: string; value: React.ReactNode; alarming?: boolean }) {
  return (
    <div className="min-w-0">
      <dt className="text-small text-muted-foreground">{name}</dt>
      <dd className={alarming ? 'text-ui font-semibold text-destructive tabular-nums' : 'text-ui tabular-nums'}>
        {value}
      </dd>
    </div>
  )
}
