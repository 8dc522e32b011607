import type { ReactNode } from 'react'
import type { Path, Waypoint } from '#contract/keepers/journeys.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Card } from '#web/ui/panels/card.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import { Time } from '#web/ui/text/time.tsx'

export function WaypointHeading({
  waypoint,
  isNotTaken,
}: {
  waypoint: Pick<Waypoint, 'title' | 'doneAt' | 'dueOn'>
  isNotTaken: boolean
}) {
  return (
    <>
      <h4
        className={classNames(
          'font-serif text-[17px] leading-6 wrap-break-word',
          isNotTaken && 'text-muted-foreground',
        )}
      >
        {waypoint.title}
      </h4>
      {(waypoint.doneAt || waypoint.dueOn) && (
        <p className="text-small text-muted-foreground">
          {waypoint.doneAt ? (
            <>
              Reached <Time value={waypoint.doneAt} />
            </>
          ) : (
            `Due ${formatTime(`${waypoint.dueOn}T12:00`)}`
          )}
        </p>
      )}
    </>
  )
}

interface PathCardProps {
  path: Pick<Path, 'title' | 'state'>
  /** Next to the title. */
  controls: ReactNode
  /** Above the waypoints. */
  note?: ReactNode
  waypoints: ReactNode
  children: ReactNode
}

export function PathCard({ path, controls, note, waypoints, children }: PathCardProps) {
  return (
    <Card
      role="group"
      aria-label={path.title}
      className={classNames(path.state === 'not_taken' && 'border-dashed bg-transparent shadow-none')}
    >
      <div className="mb-1 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h3 className="min-w-0 flex-1 basis-40 wrap-break-word">{path.title}</h3>
        {controls}
      </div>
      {note}
      <ol
        aria-label={`Waypoints of ${path.title}`}
        className="relative before:absolute before:inset-y-4 before:start-[13px] before:w-0.5 before:bg-border"
      >
        {waypoints}
      </ol>
      {children}
    </Card>
  )
}

/** The mark of a waypoint on the line of its path; filled when it is reached. */
export function WaypointMark({ ink, isDone, isNotTaken }: { ink: string; isDone: boolean; isNotTaken: boolean }) {
  return (
    <span
      aria-hidden
      style={{ borderColor: isNotTaken ? undefined : ink, background: isDone && !isNotTaken ? ink : undefined }}
      className="absolute start-[7px] top-[15px] size-3.5 rounded-full border-[2.5px] border-input bg-card"
    />
  )
}
