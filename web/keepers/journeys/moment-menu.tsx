import { NotebookPen } from 'lucide-react'
import { Fragment } from 'react'
import { Link } from 'react-router'
import type { JourneyPoint, Path } from '#contract/keepers/journeys.ts'
import { Menu, MenuChoice, MenuItem, MenuLabel, type MenuProps, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { getMomentPath } from './journey-addresses.ts'

interface MomentMenuProps {
  keeperId: string
  momentId: string
  /** Absent for moments beyond the newest thousand. */
  moment: JourneyPoint | undefined
  paths: readonly Path[]
  trigger: MenuProps['trigger']
  onAttachedChange: (path: Path, waypointId: string, isAttached: boolean) => void
}

/** The keyboard and touch alternative to dragging a moment onto a waypoint. */
export function MomentMenu({ keeperId, momentId, moment, paths, trigger, onAttachedChange }: MomentMenuProps) {
  const openPaths = paths.filter(({ state, waypoints }) => state !== 'not_taken' && waypoints.length > 0)
  return (
    <Menu align="start" trigger={trigger} className="max-h-80 max-w-72 overflow-y-auto">
      {moment && (
        <MenuItem asChild>
          <Link to={getMomentPath(keeperId, moment)}>
            <NotebookPen aria-hidden size={15} />
            Open the moment
          </Link>
        </MenuItem>
      )}
      {moment && <MenuSeparator />}
      {openPaths.length === 0 && <MenuLabel>Add a waypoint to attach this moment to</MenuLabel>}
      {openPaths.map((path) => (
        <Fragment key={path.id}>
          <MenuLabel>{path.title}</MenuLabel>
          {path.waypoints.map((waypoint) => (
            <MenuChoice
              key={waypoint.id}
              checked={waypoint.momentIds.includes(momentId)}
              onCheckedChange={(isAttached) => onAttachedChange(path, waypoint.id, isAttached)}
            >
              {waypoint.title}
            </MenuChoice>
          ))}
        </Fragment>
      ))}
    </Menu>
  )
}
