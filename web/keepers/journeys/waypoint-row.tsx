import { ArrowDown, ArrowUp, Ellipsis, NotebookPen, Pencil, Trash2 } from 'lucide-react'
import { type DragEvent, Fragment, useState } from 'react'
import { Link } from 'react-router'
import type { JourneyPoint, Path, Waypoint } from '#contract/keepers/journeys.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Menu, MenuChoice, MenuItem, MenuLabel, type MenuProps, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { Prose } from '../prose.tsx'
import { getMomentPath } from './journey-queries.ts'
import { WaypointBox, WaypointHeading, WaypointMark } from './path-card.tsx'
import { formatMomentName } from './river-line.tsx'

interface WaypointActions {
  setDone: (isDone: boolean) => Promise<void>
  edit: () => void
  pickMoments: () => void
  move: (offset: -1 | 1) => void
  remove: () => void
  setMomentAttached: (path: Path, waypointId: string, momentId: string, isAttached: boolean) => void
  dropMoment: (momentId: string, fromWaypointId: string | null) => void
}

interface WaypointRowProps {
  keeperId: string
  path: Path
  paths: readonly Path[]
  waypoint: Waypoint
  momentsById: ReadonlyMap<string, JourneyPoint>
  ink: string
  actions: WaypointActions
}

export function WaypointRow({ keeperId, path, paths, waypoint, momentsById, ink, actions }: WaypointRowProps) {
  const [isDragOver, setIsDragOver] = useState(false)
  const isNotTaken = path.state === 'not_taken'
  const [optimisticDone, setOptimisticDone] = useState<boolean>()
  const isDone = optimisticDone ?? waypoint.doneAt !== null
  const index = path.waypoints.indexOf(waypoint)

  function handleDrop(event: DragEvent) {
    setIsDragOver(false)
    const draggedMoment = getDraggedMoment(event)
    if (!draggedMoment) return
    event.preventDefault()
    actions.dropMoment(draggedMoment.momentId, draggedMoment.fromWaypointId)
  }

  return (
    <li
      onDragOver={(event) => {
        if (isNotTaken || !isMomentDrag(event)) return
        event.preventDefault()
        setIsDragOver(true)
      }}
      onDragLeave={() => setIsDragOver(false)}
      onDrop={handleDrop}
      className={classNames(
        'relative rounded-md py-2.5 ps-9 pe-1',
        isDragOver && 'bg-ribbon-soft outline-2 outline-dashed outline-ribbon',
      )}
    >
      {isNotTaken ? (
        <WaypointMark ink={ink} isDone={isDone} isNotTaken />
      ) : (
        <WaypointBox
          ink={ink}
          isDone={isDone}
          title={waypoint.title}
          onDoneChange={(isChecked) => {
            setOptimisticDone(isChecked)
            void actions.setDone(isChecked).finally(() => setOptimisticDone(undefined))
          }}
        />
      )}
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <WaypointHeading waypoint={waypoint} isNotTaken={isNotTaken} />
        </div>
        {!isNotTaken && (
          <Menu
            trigger={
              <IconButton size="small" label={`More for ${waypoint.title}`}>
                <Ellipsis aria-hidden size={16} />
              </IconButton>
            }
          >
            <MenuItem icon={<Pencil aria-hidden size={15} />} onSelect={actions.edit}>
              Edit waypoint
            </MenuItem>
            <MenuItem icon={<NotebookPen aria-hidden size={15} />} onSelect={actions.pickMoments}>
              Choose moments
            </MenuItem>
            <MoveItems index={index} count={path.waypoints.length} onMove={actions.move} />
            <MenuSeparator />
            <MenuItem danger icon={<Trash2 aria-hidden size={15} />} onSelect={actions.remove}>
              Remove waypoint
            </MenuItem>
          </Menu>
        )}
      </div>
      <Prose text={waypoint.note} className="mt-1 text-muted-foreground" />
      {waypoint.momentIds.length > 0 && (
        <ul aria-label={`Moments at ${waypoint.title}`} className="mt-2 flex flex-wrap gap-1.5">
          {waypoint.momentIds.map((id) => {
            const moment = momentsById.get(id)
            const name = moment ? formatMomentName(moment) : 'An earlier moment'
            return (
              <li key={id} className="max-w-full">
                <MomentMenu
                  keeperId={keeperId}
                  momentId={id}
                  moment={moment}
                  paths={paths}
                  onAttachedChange={(targetPath, waypointId, isAttached) =>
                    actions.setMomentAttached(targetPath, waypointId, id, isAttached)
                  }
                  trigger={
                    <button
                      type="button"
                      draggable={!isNotTaken}
                      onDragStart={(event) => startDragging(event, { momentId: id, fromWaypointId: waypoint.id })}
                      className="flex h-7 max-w-full items-center rounded-full border border-border bg-card px-2.5 text-small hover:bg-muted phone:h-[2.125rem]"
                    >
                      <span aria-hidden className="me-1.5 size-2 shrink-0 rounded-full" style={{ background: ink }} />
                      <span dir="auto" className="truncate">
                        {name}
                      </span>
                    </button>
                  }
                />
              </li>
            )
          })}
        </ul>
      )}
    </li>
  )
}

interface MoveItemsProps {
  noun?: string
  index: number
  count: number
  onMove: (offset: -1 | 1) => void
}

/** The menu items that move an entry within its list. */
export function MoveItems({ noun, index, count, onMove }: MoveItemsProps) {
  const verb = noun ? `Move ${noun}` : 'Move'
  return (
    <>
      <MenuItem icon={<ArrowUp aria-hidden size={15} />} disabled={index === 0} onSelect={() => onMove(-1)}>
        {verb} up
      </MenuItem>
      <MenuItem icon={<ArrowDown aria-hidden size={15} />} disabled={index === count - 1} onSelect={() => onMove(1)}>
        {verb} down
      </MenuItem>
    </>
  )
}

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
    <Menu
      align="start"
      trigger={trigger}
      className="max-h-80 max-w-[min(18rem,var(--radix-popper-available-width))] overflow-y-auto"
    >
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
          <MenuLabel>
            <bdi>{path.title}</bdi>
          </MenuLabel>
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

const momentDragType = 'application/x-keeper-moment'

interface DraggedMoment {
  momentId: string
  /** `null` for a moment of the river. */
  fromWaypointId: string | null
}

export function startDragging(event: DragEvent, draggedMoment: DraggedMoment): void {
  event.dataTransfer.setData(momentDragType, JSON.stringify(draggedMoment))
  event.dataTransfer.effectAllowed = 'move'
}

const isMomentDrag = (event: DragEvent) => event.dataTransfer.types.includes(momentDragType)

function getDraggedMoment(event: DragEvent): DraggedMoment | undefined {
  const text = event.dataTransfer.getData(momentDragType)
  return text === '' ? undefined : (JSON.parse(text) as DraggedMoment)
}
