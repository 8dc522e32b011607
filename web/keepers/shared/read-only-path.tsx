import type { SharedJourneyPoint, SharedPath } from '#contract/domains/sharing-in-domains.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { WrittenText } from '#web/ui/text/written-text.tsx'
import { formatMomentName } from '../journeys/river-line.tsx'
import { WaypointHeading } from '../journeys/waypoint-heading.tsx'

const pathStateLabels = { taken: 'Taken', open: 'Open', not_taken: 'Not taken' }

interface ReadOnlyPathProps {
  path: SharedPath
  momentsById: ReadonlyMap<string, SharedJourneyPoint>
  ink: string
}

export function ReadOnlyPath({ path, momentsById, ink }: ReadOnlyPathProps) {
  const isNotTaken = path.state === 'not_taken'
  return (
    <Card
      role="group"
      aria-label={path.title}
      className={classNames(isNotTaken && 'border-dashed bg-transparent shadow-none')}
    >
      <div className="mb-1 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h3 className="min-w-0 flex-1 basis-40 wrap-break-word">{path.title}</h3>
        <Badge tone={path.state === 'taken' ? 'info' : 'outlined'}>{pathStateLabels[path.state]}</Badge>
      </div>
      <ol
        aria-label={`Waypoints of ${path.title}`}
        className="relative before:absolute before:inset-y-4 before:start-[13px] before:w-0.5 before:bg-border"
      >
        {path.waypoints.map((waypoint) => (
          <li key={waypoint.id} className="relative py-2.5 ps-9">
            <span
              aria-hidden
              style={{
                borderColor: isNotTaken ? undefined : ink,
                background: waypoint.doneAt !== null && !isNotTaken ? ink : undefined,
              }}
              className="absolute start-[7px] top-[15px] size-3.5 rounded-full border-[2.5px] border-input bg-card"
            />
            <WaypointHeading waypoint={waypoint} isNotTaken={isNotTaken} />
            {waypoint.note && (
              <div className="mt-1 font-serif text-read wrap-break-word text-muted-foreground">
                <WrittenText text={waypoint.note} />
              </div>
            )}
            {waypoint.momentIds.length > 0 && (
              <ul aria-label={`Moments at ${waypoint.title}`} className="mt-1.5 flex flex-col gap-0.5">
                {waypoint.momentIds.map((id) => {
                  const moment = momentsById.get(id)
                  return (
                    <li key={id} className="flex items-baseline gap-2 text-small text-muted-foreground">
                      <span aria-hidden className="size-2 shrink-0 rounded-full" style={{ background: ink }} />
                      <span className="min-w-0 wrap-anywhere">
                        {moment ? formatMomentName(moment) : 'An earlier moment'}
                      </span>
                    </li>
                  )
                })}
              </ul>
            )}
          </li>
        ))}
      </ol>
      {path.waypoints.length === 0 && <p className="py-2 text-muted-foreground">No waypoints.</p>}
    </Card>
  )
}
