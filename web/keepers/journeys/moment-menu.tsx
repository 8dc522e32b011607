import { NotebookPen } from 'lucide-react'
import { Fragment, type ReactElement } from 'react'
import { Link } from 'react-router'
import type { JourneyPoint, Path } from '#contract/keepers/journeys.ts'
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/menu.tsx'
import { momentAddress } from './journey-addresses.ts'

interface MomentMenuProps {
  keeperId: string
  momentId: string
  /** Absent for moments beyond the newest thousand. */
  moment: JourneyPoint | undefined
  paths: readonly Path[]
  trigger: ReactElement
  onHang: (path: Path, waypointId: string, hang: boolean) => void
}

/** The keyboard and touch alternative to dragging a moment onto a waypoint. */
export function MomentMenu({ keeperId, momentId, moment, paths, trigger, onHang }: MomentMenuProps) {
  const open = paths.filter(({ state, waypoints }) => state !== 'not_taken' && waypoints.length > 0)
  return (
    <Menu align="start" trigger={trigger} className="max-h-80 max-w-72 overflow-y-auto">
      {moment && (
        <MenuItem asChild>
          <Link to={momentAddress(keeperId, moment)}>
            <NotebookPen aria-hidden size={15} />
            Open the moment
          </Link>
        </MenuItem>
      )}
      {moment && <MenuSeparator />}
      {open.length === 0 && <MenuLabel>Add a waypoint to attach this moment to</MenuLabel>}
      {open.map((path) => (
        <Fragment key={path.id}>
          <MenuLabel>{path.title}</MenuLabel>
          {path.waypoints.map((waypoint) => (
            <MenuChoice
              key={waypoint.id}
              checked={waypoint.momentIds.includes(momentId)}
              onCheckedChange={(hang) => onHang(path, waypoint.id, hang)}
            >
              {waypoint.title}
            </MenuChoice>
          ))}
        </Fragment>
      ))}
    </Menu>
  )
}
