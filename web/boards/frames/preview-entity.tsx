import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { getEntryPath } from '#contract/keepers/entry-address.ts'
import { getWorkspacePath } from '#web/agents/agent-addresses.ts'
import { useAgentStats } from '#web/agents/agent-queries.ts'
import { AgentSeal } from '#web/agents/agent-seal.tsx'
import { formatDuration, formatRunCost } from '#web/agents/runs/run-texts.ts'
import { formatMomentName, RiverLine } from '#web/keepers/journeys/river-line.tsx'
import { getDashboardPath } from '#web/keepers/keeper-addresses.ts'
import { formatDay } from '#web/keepers/moments/format-day.ts'
import { Cover } from '#web/ui/drawings/cover.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { WrittenText } from '#web/ui/text/written-text.tsx'
import { BoardPicture } from '../studio/board-picture.tsx'
import { agentQuery, frameBoardQuery, journeyQuery, keeperQuery, momentQuery } from './entity-queries.ts'
import { FrameStats, type Stat } from './frame-parts.tsx'
import { FrameQuery } from './frame-query.tsx'
import type { PreviewedEntity } from './preview-frame.tsx'

interface PreviewProps {
  entityId: string
  onChooseAnother: (() => void) | undefined
}

const previewComponents: Record<PreviewedEntity, (props: PreviewProps) => ReactNode> = {
  keeper: KeeperPreview,
  moment: MomentPreview,
  journey: JourneyPreview,
  agent: AgentStatsPreview,
  board: SmallBoard,
}

export function PreviewEntity({ entity, ...props }: PreviewProps & { entity: PreviewedEntity }) {
  const Preview = previewComponents[entity]
  return <Preview {...props} />
}

function KeeperPreview({ entityId, onChooseAnother }: PreviewProps) {
  const query = useQuery(keeperQuery(entityId))
  return (
    <FrameQuery query={query} entityName="keeper" onChooseAnother={onChooseAnother}>
      {(keeper) => (
        <PreviewCard
          picture={<Cover seed={keeper.id} width={48} height={64} />}
          title={<Title to={getDashboardPath(keeper.id)}>{keeper.title}</Title>}
          purpose={keeper.purpose}
          stats={[
            [keeper.entryCount === 1 ? 'entry' : 'entries', keeper.entryCount],
            [keeper._count.Journey === 1 ? 'journey' : 'journeys', keeper._count.Journey],
            [keeper._count.Path === 1 ? 'path' : 'paths', keeper._count.Path],
          ]}
        />
      )}
    </FrameQuery>
  )
}

function MomentPreview({ entityId, onChooseAnother }: PreviewProps) {
  const query = useQuery(momentQuery(entityId))
  return (
    <FrameQuery query={query} entityName="moment" onChooseAnother={onChooseAnother}>
      {(moment) => (
        <article className="px-3.5 py-3 font-serif text-[17px] leading-[24px]">
          {moment.title && (
            <Title to={getEntryPath({ entity: 'moment', keeperId: moment.keeperId, id: moment.id })}>
              {moment.title}
            </Title>
          )}
          {moment.body && <WrittenText text={moment.body} />}
          <p className="mt-2 font-sans text-small text-muted-foreground">
            {formatDay(moment.localDate)}
            {moment.place && `, ${moment.place.name}`}
            {moment.media.length > 0 &&
              `, ${moment.media.length === 1 ? '1 picture' : `${moment.media.length} pictures`}`}
            {!moment.title && (
              <>
                {'. '}
                <Link
                  to={getEntryPath({ entity: 'moment', keeperId: moment.keeperId, id: moment.id })}
                  className="rounded-xs underline underline-offset-2"
                >
                  Open{' '}
                </Link>
              </>
            )}
          </p>
        </article>
      )}
    </FrameQuery>
  )
}

function JourneyPreview({ entityId, onChooseAnother }: PreviewProps) {
  const query = useQuery(journeyQuery(entityId))
  return (
    <FrameQuery query={query} entityName="journey" onChooseAnother={onChooseAnother}>
      {(journey) => (
        <div className="flex min-h-full flex-col gap-2.5 px-3.5 py-3">
          <div>
            <Title to={getEntryPath({ entity: 'journey', keeperId: journey.keeperId, id: journey.id })}>
              {journey.title}
            </Title>
            {journey.purpose && <Purpose>{journey.purpose}</Purpose>}
          </div>
          <RiverLine
            journey={journey}
            renderMoment={(point, face) => (
              <span title={formatMomentName(point)} className="group grid size-8 place-items-center">
                {face}
                <span className="sr-only">{formatMomentName(point)}</span>
              </span>
            )}
          />
          <p className="text-small text-muted-foreground tabular-nums">
            {`${journey.status}. ${pluralize(journey._count.Moment, 'moment')}, ${journey._count.WaypointDone} of ${pluralize(journey._count.Waypoint, 'waypoint')} reached.`}
          </p>
        </div>
      )}
    </FrameQuery>
  )
}

function AgentStatsPreview({ entityId, onChooseAnother }: PreviewProps) {
  const query = useQuery(agentQuery(entityId))
  const { data: stats } = useAgentStats(entityId)
  return (
    <FrameQuery query={query} entityName="agent" onChooseAnother={onChooseAnother}>
      {(agent) => (
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
      )}
    </FrameQuery>
  )
}

function SmallBoard({ entityId, onChooseAnother }: PreviewProps) {
  const query = useQuery(frameBoardQuery(entityId))
  return (
    <FrameQuery query={query} entityName="board" onChooseAnother={onChooseAnother}>
      {(board) => (
        <div className="flex h-full min-h-0 flex-col gap-1.5 px-3.5 py-3">
          <Title to={`/studio/board-studio?board=${encodeURIComponent(board.id)}`}>{board.name}</Title>
          <BoardPicture
            frames={board.frames}
            label={`${board.name}: ${board.frames.map(({ data }) => data.name).join(', ') || 'no frames'}`}
            className="h-auto! min-h-16 grow"
          />
          <p className="text-small text-muted-foreground">{pluralize(board.frames.length, 'frame')}</p>
        </div>
      )}
    </FrameQuery>
  )
}

function Title({ to, children }: { to: string; children: string }) {
  return (
    <h4 className="font-serif text-[17px] leading-[23px] font-medium wrap-break-word">
      <Link to={to} className="rounded-xs hover:underline">
        {children}
      </Link>
    </h4>
  )
}

function Purpose({ children }: { children: string | null }) {
  return <p className="text-ui leading-[19px] whitespace-pre-line wrap-break-word text-muted-foreground">{children}</p>
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
