import { type ReactNode, useState } from 'react'
import type { Bead, Journey, Path } from '#contract/keepers/journeys.ts'
import { truncate } from '#contract/truncate.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { counted } from '#web/ui/counted.ts'
import { formatTime } from '#web/ui/format-time.ts'
import { pigmentInk } from '../pigments.ts'
import { branchPath, riverHeight, riverPath, riverPoints, riverWidth } from './river-points.ts'

type RiverBead = Omit<Bead, 'pinned'> & Partial<Pick<Bead, 'pinned'>>

const atOnce = 1000

interface RiverLineProps<B> {
  journey: Pick<Journey, 'status' | 'color'> & {
    beads: readonly B[]
    paths: readonly Pick<Path, 'id' | 'state' | 'waypoints'>[]
  }
  /** Older moments exist on another page. */
  hasEarlier?: boolean
  /** Wraps a moment's dot in a button with a menu, or in a plain name. */
  showBead: (bead: B, face: ReactNode) => ReactNode
}

/**
 * Draws the journey as a river: moments up to the present, then the waypoints ahead. Open paths branch off at the
 * present, paths not taken before it.
 */
export function RiverLine<B extends RiverBead>({ journey, hasEarlier = false, showBead }: RiverLineProps<B>) {
  const { beads: all, paths } = journey
  const [most, setMost] = useState(atOnce)
  const beads = all.slice(-most)
  const ahead = paths
    .filter(({ state }) => state === 'taken')
    .flatMap(({ waypoints }) => waypoints.filter(({ doneAt }) => doneAt === null))
  const over = journey.status === 'completed'
  const points = riverPoints(beads.length + 1 + ahead.length)
  const width = riverWidth(points.length)
  const present = points[beads.length]
  const ink = pigmentInk(journey.color)
  const branches = paths.filter(({ state }) => state !== 'taken')
  return (
    <section aria-label="The river" className="rounded-page border border-border bg-paper shadow-e2">
      <section
        aria-label="From the first moment to the waypoints ahead"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard
        tabIndex={0}
        className="overflow-x-auto px-2 py-1 focus-visible:-outline-offset-2"
      >
        <div className="relative mx-auto" style={{ width, height: riverHeight }}>
          <svg aria-hidden="true" width={width} height={riverHeight} className="absolute inset-0 overflow-visible">
            <path
              d={riverPath(points.slice(beads.length))}
              fill="none"
              stroke="var(--k-border)"
              strokeWidth="2.5"
              strokeDasharray={over ? '1 7' : undefined}
              strokeLinecap="round"
            />
            <path
              d={riverPath(points.slice(0, beads.length + 1))}
              fill="none"
              stroke={ink}
              strokeWidth="3"
              strokeLinecap="round"
            />
            {present &&
              branches
                .slice(0, 4)
                .map((path, at) => (
                  <path
                    key={path.id}
                    d={branchPath(
                      (path.state === 'open' ? present : points[Math.max(beads.length - 1, 0)]) ?? present,
                      at,
                    )}
                    fill="none"
                    stroke={path.state === 'open' ? ink : 'var(--k-input)'}
                    strokeWidth="2"
                    strokeDasharray={path.state === 'open' ? '5 5' : '1 6'}
                    strokeLinecap="round"
                  />
                ))}
            {present && (
              <circle
                cx={present.x}
                cy={present.y}
                r="6"
                fill="var(--k-ribbon)"
                stroke="var(--k-paper)"
                strokeWidth="2"
              />
            )}
          </svg>
          <ol aria-label="Moments on this journey">
            {beads.map((bead, at) => {
              const point = points[at]
              return (
                point && (
                  <li key={bead.id} className="absolute" style={{ left: point.x - 16, top: point.y - 16 }}>
                    {showBead(
                      bead,
                      <span
                        aria-hidden
                        style={{ borderColor: ink, background: bead.waypointId ? ink : undefined }}
                        className={classNames(
                          'block size-3.5 rounded-full border-[2.5px] bg-paper transition-transform duration-120 group-hover:scale-125',
                          bead.pinned && 'outline-2 outline-offset-2 outline-ribbon',
                        )}
                      />,
                    )}
                  </li>
                )
              )
            })}
          </ol>
          <ol aria-label="Waypoints ahead">
            {ahead.map((waypoint, at) => {
              const point = points[beads.length + 1 + at]
              return (
                point && (
                  <li key={waypoint.id} className="absolute" style={{ left: point.x - 7, top: point.y - 7 }}>
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
          {all.length === 0
            ? 'No moments on this journey yet.'
            : `${momentsInWords(all.length, hasEarlier)}. Filled dots hang on a waypoint.`}{' '}
          {over ? 'The journey is completed.' : ahead.length > 0 && `${ahead.length} ahead.`}
          {beads.length < all.length && ` Showing the newest ${beads.length.toLocaleString('en-US')}.`}
        </p>
        {beads.length < all.length && (
          <Button data-chrome size="small" onClick={() => setMost(most + atOnce)}>
            Show earlier ones
          </Button>
        )}
      </div>
    </section>
  )
}

function momentsInWords(count: number, hasEarlier: boolean): string {
  if (hasEarlier) return `The newest ${counted(count, 'moment')}`
  return count === 1 ? 'One moment so far' : `${counted(count, 'moment')} so far`
}

/** A short name: date and truncated title or excerpt. */
export function beadName({ localDate, title, excerpt }: Pick<Bead, 'localDate' | 'title' | 'excerpt'>): string {
  const words = title || excerpt || 'A moment without words'
  return `${formatTime(`${localDate}T12:00`)}: ${words.length > 60 ? `${truncate(words, 59)}…` : words}`
}
