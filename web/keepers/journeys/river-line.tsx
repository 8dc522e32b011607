import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { Journey, JourneyPoint, Path } from '#contract/keepers/journeys.ts'
import { truncate } from '#contract/truncate.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { formatTime } from '#web/ui/text/format-time.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { getPigmentInk } from '../pigments.ts'

/** All lengths are in px. */
interface RiverPoint {
  x: number
  y: number
}

export const riverHeight = 112
const pointSpacing = 64
const riverMargin = 28
const waveHeight = 18
const radiansPerPoint = 0.9
const momentRadius = 16
const waypointRadius = 7
const maxBranches = 4

const roundToTenth = (value: number) => Math.round(value * 10) / 10

/** Spaces points evenly along a gentle wave; deterministic for a given count. */
export function getRiverPoints(count: number): RiverPoint[] {
  return Array.from({ length: count }, (_, index) => ({
    x: riverMargin + index * pointSpacing,
    y: roundToTenth(riverHeight / 2 + Math.sin(index * radiansPerPoint) * waveHeight),
  }))
}

export const getRiverWidth = (count: number) => riverMargin * 2 + Math.max(count - 1, 0) * pointSpacing

/** A smooth line through the points, as the `d` of a path. */
export function toRiverPath(points: readonly RiverPoint[]): string {
  return points.reduce((path, point, index) => {
    const previous = points[index - 1]
    if (!previous) return `M${point.x} ${point.y}`
    const middleX = roundToTenth((previous.x + point.x) / 2)
    return `${path}C${middleX} ${previous.y} ${middleX} ${point.y} ${point.x} ${point.y}`
  }, '')
}

/** The `d` of a branch that leaves the river downwards; later branches reach further. */
export function toBranchPath({ x, y }: RiverPoint, index: number): string {
  const branchLength = 20 + index * 12
  return `M${x} ${y}C${x + 10} ${y} ${x + 10} ${riverHeight - 8} ${roundToTenth(x + branchLength)} ${riverHeight - 4}`
}

type RiverMoment = Omit<JourneyPoint, 'pinned'> & Partial<Pick<JourneyPoint, 'pinned'>>

const riverPageSize = 1000
/** Where a river that is wider than its window shows the present, as a share of the window's width. */
const presentShare = 0.6

export function renderNamedDot(moment: RiverMoment, dot: ReactNode): ReactNode {
  const name = formatMomentName(moment)
  return (
    <span title={name} className="group grid size-8 place-items-center">
      {dot}
      <span className="sr-only">{name}</span>
    </span>
  )
}

interface RiverLineProps<B> {
  journey: Pick<Journey, 'status' | 'color'> & {
    beads: readonly B[]
    paths: readonly Pick<Path, 'id' | 'state' | 'waypoints'>[]
  }
  /** Older moments exist on another page. */
  hasEarlier?: boolean
  /** Wraps a moment's dot in a button with a menu, or in a plain name. */
  renderMoment: (moment: B, dot: ReactNode) => ReactNode
}

/** Open paths branch off at the present, paths not taken before it. */
export function RiverLine<B extends RiverMoment>({ journey, hasEarlier = false, renderMoment }: RiverLineProps<B>) {
  const { beads: allMoments, paths } = journey
  const [visibleLimit, setVisibleLimit] = useState(riverPageSize)
  const visibleMoments = allMoments.slice(-visibleLimit)
  const waypointsAhead = paths
    .filter(({ state }) => state === 'taken')
    .flatMap(({ waypoints }) => waypoints.filter(({ doneAt }) => doneAt === null))
  const isCompleted = journey.status === 'completed'
  const points = getRiverPoints(visibleMoments.length + 1 + waypointsAhead.length)
  const width = getRiverWidth(points.length)
  const presentPoint = points[visibleMoments.length]
  const ink = getPigmentInk(journey.color)
  const branches = paths.filter(({ state }) => state !== 'taken')
  const scroller = useRef<HTMLElement>(null)
  const lastMomentPoint = points[Math.max(visibleMoments.length - 1, 0)]
  const presentX = presentPoint?.x ?? 0
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollLeft = presentX - scroller.current.clientWidth * presentShare
  }, [presentX])
  if (points.length === 1 && branches.length === 0)
    return <p className="text-ui text-muted-foreground">No moments on this journey yet.</p>
  return (
    <section aria-label="The river" className="rounded-page border border-border bg-paper shadow-e2">
      <section
        ref={scroller}
        aria-label="From the first moment to the waypoints ahead"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: horizontal scrolling must work by keyboard
        tabIndex={0}
        className="overflow-x-auto px-2 py-1 focus-visible:-outline-offset-2"
      >
        <div className="relative mx-auto" style={{ width, height: riverHeight }}>
          <svg aria-hidden="true" width={width} height={riverHeight} className="absolute inset-0 overflow-visible">
            <path
              d={toRiverPath(points.slice(visibleMoments.length))}
              fill="none"
              stroke="var(--k-border)"
              strokeWidth="2.5"
              strokeDasharray={isCompleted ? '1 7' : undefined}
              strokeLinecap="round"
            />
            <path
              d={toRiverPath(points.slice(0, visibleMoments.length + 1))}
              fill="none"
              stroke={ink}
              strokeWidth="3"
              strokeLinecap="round"
            />
            {presentPoint &&
              branches
                .slice(0, maxBranches)
                .map((path, index) => (
                  <path
                    key={path.id}
                    d={toBranchPath(path.state === 'open' ? presentPoint : (lastMomentPoint ?? presentPoint), index)}
                    fill="none"
                    stroke={path.state === 'open' ? ink : 'var(--k-input)'}
                    strokeWidth="2"
                    strokeDasharray={path.state === 'open' ? '5 5' : '1 6'}
                    strokeLinecap="round"
                  />
                ))}
            {presentPoint && (
              <circle
                cx={presentPoint.x}
                cy={presentPoint.y}
                r="6"
                fill="var(--k-ribbon)"
                stroke="var(--k-paper)"
                strokeWidth="2"
              />
            )}
          </svg>
          <ol aria-label="Moments on this journey">
            {visibleMoments.map((moment, index) => {
              const point = points[index]
              return (
                point && (
                  <li
                    key={moment.id}
                    className="absolute"
                    style={{ left: point.x - momentRadius, top: point.y - momentRadius }}
                  >
                    {renderMoment(
                      moment,
                      <span
                        aria-hidden
                        style={{ borderColor: ink, background: moment.waypointId ? ink : undefined }}
                        className={classNames(
                          'block size-3.5 rounded-full border-[2.5px] bg-paper transition-transform duration-120 group-hover:scale-125',
                          moment.pinned && 'outline-2 outline-offset-2 outline-ribbon',
                        )}
                      />,
                    )}
                  </li>
                )
              )
            })}
          </ol>
          <ol aria-label="Waypoints ahead">
            {waypointsAhead.map((waypoint, index) => {
              const point = points[visibleMoments.length + 1 + index]
              return (
                point && (
                  <li
                    key={waypoint.id}
                    className="absolute"
                    style={{ left: point.x - waypointRadius, top: point.y - waypointRadius }}
                  >
                    <span
                      aria-hidden
                      title={waypoint.title}
                      className="block size-3.5 rotate-45 border-2 border-input bg-paper"
                    />
                    <span className="sr-only">
                      {waypoint.title}
                      {waypoint.dueOn && `, due ${formatTime(`${waypoint.dueOn}T12:00`)}`}
                    </span>
                  </li>
                )
              )
            })}
          </ol>
        </div>
      </section>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 border-t border-hairline px-4 py-2 text-small text-muted-foreground">
        <p>
          {allMoments.length === 0
            ? 'No moments on this journey yet.'
            : `${formatMomentCount(allMoments.length, hasEarlier)}. Filled dots belong to a waypoint.`}{' '}
          {isCompleted ? 'The journey is completed.' : waypointsAhead.length > 0 && `${waypointsAhead.length} ahead.`}
          {visibleMoments.length < allMoments.length &&
            ` Showing the newest ${visibleMoments.length.toLocaleString('en-US')}.`}
        </p>
        {visibleMoments.length < allMoments.length && (
          <Button data-chrome size="small" onClick={() => setVisibleLimit(visibleLimit + riverPageSize)}>
            Show earlier
          </Button>
        )}
      </div>
    </section>
  )
}

function formatMomentCount(count: number, hasEarlier: boolean): string {
  if (hasEarlier) return `The newest ${pluralize(count, 'moment')}`
  return `${pluralize(count, 'moment')} so far`
}

const maxNameLength = 60

export function formatMomentName({
  localDate,
  title,
  excerpt,
}: Pick<JourneyPoint, 'localDate' | 'title' | 'excerpt'>): string {
  const text = title || excerpt || 'A moment without text'
  return `${formatTime(`${localDate}T12:00`)}: ${text.length > maxNameLength ? `${truncate(text, maxNameLength - 1)}…` : text}`
}
