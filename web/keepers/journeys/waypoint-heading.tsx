import type { Waypoint } from '#contract/keepers/journeys.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
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
