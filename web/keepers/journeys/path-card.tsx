import { Check } from 'lucide-react'
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
        dir="auto"
        className={classNames(
          'font-serif text-[1.0625rem] leading-6 wrap-break-word',
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
        <h3 dir="auto" className="min-w-0 flex-1 basis-40 wrap-break-word">
          {path.title}
        </h3>
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

interface WaypointMarkProps {
  ink: string
  isDone: boolean
  isNotTaken: boolean
}

const ringClasses = 'rounded-full border-[2.5px] bg-card'

/** The mark of a waypoint on the line of its path; filled when it is reached. */
export function WaypointMark({ ink, isDone, isNotTaken }: WaypointMarkProps) {
  return (
    <span
      aria-hidden
      style={isNotTaken ? undefined : { color: ink }}
      className={classNames(
        ringClasses,
        'absolute start-[5px] top-[13px] size-[1.125rem]',
        isNotTaken && 'border-input',
        !isNotTaken && (isDone ? 'border-current bg-current' : 'border-current/60'),
      )}
    />
  )
}

interface WaypointBoxProps extends Omit<WaypointMarkProps, 'isNotTaken'> {
  title: string
  onDoneChange: (isDone: boolean) => void
}

/** The mark as a checkbox. */
export function WaypointBox({ ink, isDone, title, onDoneChange }: WaypointBoxProps) {
  return (
    <label
      title="Reached"
      style={{ color: ink }}
      className="absolute start-0 top-2 grid size-7 place-items-center phone:-start-1.5 phone:top-0.5 phone:size-10"
    >
      <input
        type="checkbox"
        checked={isDone}
        onChange={(event) => onDoneChange(event.currentTarget.checked)}
        aria-label={`${title} reached`}
        className={classNames(
          ringClasses,
          'peer size-[1.125rem] appearance-none border-current/60 transition-colors duration-120 checked:border-current checked:bg-current hover:border-current contrast-more:border-current forced-colors:appearance-auto',
        )}
      />
      <Check
        aria-hidden
        size={11}
        strokeWidth={3}
        className="pointer-events-none absolute text-card opacity-0 peer-checked:opacity-100 forced-colors:hidden"
      />
    </label>
  )
}
