import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Agent } from '#contract/agents/agents.ts'
import { getEntryPath } from '#contract/keepers/entry-address.ts'
import { getWorkspacePath } from '#web/agents/agent-addresses.ts'
import { useAgentStats } from '#web/agents/agent-queries.ts'
import { AgentSeal } from '#web/agents/agent-seal.tsx'
import { formatDuration, formatRunCost } from '#web/agents/runs/run-texts.ts'
import { RiverLine, renderNamedDot } from '#web/keepers/journeys/river-line.tsx'
import { getDashboardPath } from '#web/keepers/keeper-addresses.ts'
import { formatDay } from '#web/keepers/moments/format-day.ts'
import { Cover } from '#web/ui/drawings/cover.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { WrittenText } from '#web/ui/text/written-text.tsx'
import { BoardPicture } from '../studio/board-picture.tsx'
import {
  agentQuery,
  type EntityQuery,
  frameBoardQuery,
  journeyQuery,
  keeperQuery,
  momentQuery,
} from './entity-queries.ts'
import { FrameStats, type Stat } from './frame-parts.tsx'
import { FrameQuery } from './frame-query.tsx'
import type { PreviewedEntity } from './preview-frame.tsx'

interface PreviewProps {
  entityId: string
  onChooseAnother: (() => void) | undefined
}

interface LoadedEntityProps<Data> extends PreviewProps {
  entityName: PreviewedEntity
  toQuery: (id: string) => EntityQuery<Data>
  children: (entity: Data) => ReactNode
}

function LoadedEntity<Data>({ entityId, toQuery, ...props }: LoadedEntityProps<Data>) {
  return <FrameQuery query={useQuery(toQuery(entityId))} {...props} />
}

const previews: Record<PreviewedEntity, (props: PreviewProps) => ReactNode> = {
  keeper: (props) => (
    <LoadedEntity {...props} entityName="keeper" toQuery={keeperQuery}>
      {({ id, title, purpose, entryCount, _count: { Journey, Path } }) => (
        <PreviewCard
          picture={<Cover seed={id} width={48} height={64} />}
          title={<Title to={getDashboardPath(id)}>{title}</Title>}
          purpose={purpose}
          stats={[
            [entryCount === 1 ? 'entry' : 'entries', entryCount],
            [Journey === 1 ? 'journey' : 'journeys', Journey],
            [Path === 1 ? 'path' : 'paths', Path],
          ]}
        />
      )}
    </LoadedEntity>
  ),
  moment: (props) => (
    <LoadedEntity {...props} entityName="moment" toQuery={momentQuery}>
      {({ id, keeperId, title, body, localDate, place, media }) => {
        const path = getEntryPath({ entity: 'moment', keeperId, id })
        const details = [formatDay(localDate), place?.name, media.length > 0 && pluralize(media.length, 'picture')]
        return (
          <article className="px-3.5 py-3 font-serif text-[1.0625rem] leading-[1.5rem]">
            {title && <Title to={path}>{title}</Title>}
            {body && <WrittenText text={body} />}
            <p className="mt-2 font-sans text-small text-muted-foreground">
              {details.filter(Boolean).join(', ')}
              {!title && (
                <>
                  {'. '}
                  <Link to={path} className="rounded-xs underline underline-offset-2">
                    Open
                  </Link>
                </>
              )}
            </p>
          </article>
        )
      }}
    </LoadedEntity>
  ),
  journey: (props) => (
    <LoadedEntity {...props} entityName="journey" toQuery={journeyQuery}>
      {(journey) => (
        <div className="flex min-h-full flex-col gap-2.5 px-3.5 py-3">
          <div>
            <Title to={getEntryPath({ entity: 'journey', keeperId: journey.keeperId, id: journey.id })}>
              {journey.title}
            </Title>
            {journey.purpose && <Purpose>{journey.purpose}</Purpose>}
          </div>
          <RiverLine journey={journey} renderMoment={renderNamedDot} />
          <p className="text-small text-muted-foreground tabular-nums">
            {`${journey.status}. ${pluralize(journey._count.Moment, 'moment')}, ${journey._count.WaypointDone} of ${pluralize(journey._count.Waypoint, 'waypoint')} reached.`}
          </p>
        </div>
      )}
    </LoadedEntity>
  ),
  agent: (props) => (
    <LoadedEntity {...props} entityName="agent" toQuery={agentQuery}>
      {(agent) => <AgentStatsPreview agent={agent} />}
    </LoadedEntity>
  ),
  board: (props) => (
    <LoadedEntity {...props} entityName="board" toQuery={frameBoardQuery}>
      {({ id, name, frames }) => (
        <div className="flex h-full min-h-0 flex-col gap-1.5 px-3.5 py-3">
          <Title to={`/studio/board-studio?board=${encodeURIComponent(id)}`}>{name}</Title>
          <BoardPicture
            frames={frames}
            label={`${name}: ${frames.map(({ data }) => data.name).join(', ') || 'no frames'}`}
            className="h-auto! min-h-16 grow"
          />
          <p className="text-small text-muted-foreground">{pluralize(frames.length, 'frame')}</p>
        </div>
      )}
    </LoadedEntity>
  ),
}

export const PreviewEntity = ({ entity, ...props }: PreviewProps & { entity: PreviewedEntity }) =>
  previews[entity](props)

function AgentStatsPreview({ agent }: { agent: Agent }) {
  const { data: stats } = useAgentStats(agent.id)
  return (
    <PreviewCard
      picture={<AgentSeal agent={agent} size={44} className="shrink-0" />}
      title={<Title to={getWorkspacePath(agent.slug)}>{agent.name}</Title>}
      purpose={agent.purpose}
      stats={
        stats && [
          ['runs', stats.runs],
          ['median', formatDuration(stats.p50_ms)],
          ['cost', formatRunCost(stats.cost_usd)],
        ]
      }
    />
  )
}

function Title({ to, children }: { to: string; children: string }) {
  return (
    <h4 className="font-serif text-[1.0625rem] leading-[1.4375rem] font-medium wrap-break-word">
      <Link to={to} className="rounded-xs hover:underline">
        {children}
      </Link>
    </h4>
  )
}

function Purpose({ children }: { children: string | null }) {
  return (
    <p className="text-ui leading-[1.1875rem] whitespace-pre-line wrap-break-word text-muted-foreground">{children}</p>
  )
}

interface PreviewCardProps {
  picture: ReactNode
  title: ReactNode
  purpose: string | null
  stats: Stat[] | undefined
}

function PreviewCard({ picture, title, purpose, stats }: PreviewCardProps) {
  return (
    <div className="flex gap-3.5 px-3.5 py-3">
      {picture}
      <div className="min-w-0">
        {title}
        <Purpose>{purpose}</Purpose>
        {stats && <FrameStats stats={stats} className="mt-2" />}
      </div>
    </div>
  )
}
