import { ChevronDown, GripVertical } from 'lucide-react'
import { type PointerEvent, useEffect, useEffectEvent, useId, useMemo, useState } from 'react'
import {
  type BoardEntity,
  type FrameCategory,
  type FrameType,
  frameCategories,
  frameCategoryNames,
  frameTypes,
  getFrameLibrary,
} from '#contract/boards/frame-types.ts'
import { createTextFilter } from '#contract/search/search-query.ts'
import { type FilterChip, FilterChips } from '#web/ui/controls/filter-chips.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { MessageDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { FrameIcon } from '../frames/frame-icons.tsx'
import { useObservable } from './canvas-context.ts'
import { activeDropStage, type DropStage, libraryDrag, startLibraryDrag } from './library-drag.ts'

const categoryChips: FilterChip<ChosenCategory>[] = [
  { value: 'all', label: 'All' },
  { value: 'content', label: 'Content' },
  { value: 'interaction', label: 'Interaction' },
  { value: 'configuration', label: 'Config' },
  { value: 'visualization', label: 'Visual' },
]

const maxUseCases = 2

interface FrameLibraryProps {
  /** Adds the frame types of this entity after the 10 general ones. */
  entity?: BoardEntity | null
  /** Whether a board is open; added frames wait until its canvas is loaded. */
  hasBoard?: boolean
  /** Called when a frame is dragged out or added, so that a phone sheet can close. */
  onFrameUsed?: () => void
  className?: string
}

export default function FrameLibrary({ entity = null, hasBoard = false, onFrameUsed, className }: FrameLibraryProps) {
  const [query, setQuery] = useState('')
  const [category, setCategory] = useState<ChosenCategory>('all')
  const [isBoardMissing, setBoardMissing] = useState(false)
  const [pendingType, setPendingType] = useState<FrameType>()
  const dropStage = useObservable(activeDropStage)
  const types = useMemo(() => getFrameLibrary(entity), [entity])
  const matches = searchLibrary(types, query, category)
  const groups = frameCategories
    .map((categoryName) => ({
      category: categoryName,
      types: matches.filter((type) => frameTypes[type].category === categoryName),
    }))
    .filter((group) => group.types.length > 0)

  function addTo(type: FrameType, target: DropStage) {
    target.add(type)
    onFrameUsed?.()
  }
  const addPendingFrame = useEffectEvent(addTo)
  useEffect(() => {
    if (!dropStage || pendingType === undefined) return
    setPendingType(undefined)
    addPendingFrame(pendingType, dropStage)
  }, [dropStage, pendingType])

  function add(type: FrameType) {
    if (dropStage) addTo(type, dropStage)
    else if (hasBoard) setPendingType(type)
    else setBoardMissing(true)
  }
  function startDrag(type: FrameType, event: PointerEvent) {
    startLibraryDrag(type, event, {
      onStart: () => {
        if (activeDropStage.getSnapshot()) onFrameUsed?.()
      },
      onNoTarget: () => setBoardMissing(!hasBoard),
    })
  }
  return (
    <section aria-label="Frame Library" className={classNames('flex min-h-0 flex-col text-ui', className)}>
      <header className="px-3.5 pt-3.5 pb-2.5">
        <div className="flex items-baseline gap-2">
          <h2 className="grow font-sans text-ui font-semibold tracking-normal">Frame Library</h2>
          <span className="text-small text-muted-foreground">{pluralize(types.length, 'frame')}</span>
        </div>
        <SearchField label="Search frames..." value={query} onValueChange={setQuery} className="my-2.5" />
        <FilterChips label="Category" options={categoryChips} value={category} onValueChange={setCategory} />
      </header>
      <div className="min-h-0 grow overflow-y-auto pb-4">
        {groups.map((group) => (
          <LibraryGroup key={group.category} {...group} onAdd={add} onStartDrag={startDrag} />
        ))}
        {matches.length === 0 && (
          <p className="px-3.5 py-6 text-center text-muted-foreground">No frames found matching your search.</p>
        )}
      </div>
      <MessageDialog open={isBoardMissing} onOpenChange={setBoardMissing} message="Please select a board first" />
    </section>
  )
}

interface LibraryGroupProps {
  category: FrameCategory
  types: readonly FrameType[]
  onAdd: (type: FrameType) => void
  onStartDrag: (type: FrameType, event: PointerEvent) => void
}

function LibraryGroup({ category, types, onAdd, onStartDrag }: LibraryGroupProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="pb-3">
      <div className="flex px-3.5 pb-1 text-small text-muted-foreground">
        <h3 id={id} className="grow font-sans text-small font-label tracking-normal">
          {frameCategoryNames[category]}
        </h3>
        <span>{types.length}</span>
      </div>
      <ul>
        {types.map((type) => (
          <LibraryEntry key={type} type={type} onAdd={onAdd} onStartDrag={onStartDrag} />
        ))}
      </ul>
    </section>
  )
}

function LibraryEntry({
  type,
  onAdd,
  onStartDrag,
}: Pick<LibraryGroupProps, 'onAdd' | 'onStartDrag'> & { type: FrameType }) {
  const detailId = useId()
  const [isOpen, setOpen] = useState(false)
  const isDragged = useObservable(libraryDrag)?.frameType === type
  const { name, description, icon, helpText, useCases } = frameTypes[type]

  /** Touch scrolls the list, except on the grip, where it drags. */
  function handlePointerDown(event: PointerEvent<HTMLElement>, { isGrip }: { isGrip: boolean }) {
    if (event.button !== 0 || (event.pointerType === 'touch' && !isGrip)) return
    event.currentTarget.releasePointerCapture?.(event.pointerId)
    onStartDrag(type, event)
  }
  return (
    <li className={classNames('group relative', isDragged ? 'bg-ribbon-soft' : 'hover:bg-fill-hover')}>
      <div className="relative flex items-center pe-3">
        <button
          type="button"
          data-frame-type={type}
          aria-label={`Add ${name}`}
          aria-describedby={`${detailId}-line`}
          onPointerDown={(event) => handlePointerDown(event, { isGrip: false })}
          onDragStart={(event) => event.preventDefault()}
          onClick={() => onAdd(type)}
          className="flex min-w-0 grow items-center gap-2.5 py-[5px] ps-3.5 text-start select-none focus-visible:-outline-offset-2"
        >
          <span className="grid size-[2.125rem] shrink-0 place-items-center rounded-md border border-border bg-background">
            <FrameIcon name={icon} size={16} />
          </span>
          <span dir="auto" className="min-w-0 truncate pb-4 text-ui leading-[1.125rem] font-semibold">
            {name}
          </span>
        </button>
        {/* Outside the button, so that it isn't part of the button's accessible name. */}
        <span
          id={`${detailId}-line`}
          className="pointer-events-none absolute start-[58px] end-8 phone:end-[92px] bottom-[5px] truncate text-small text-muted-foreground"
        >
          {description}
        </span>
        <button
          type="button"
          aria-label={`About ${name}`}
          aria-expanded={isOpen}
          aria-controls={detailId}
          onClick={() => setOpen(!isOpen)}
          className={classNames(
            'absolute end-8 grid size-6 place-items-center rounded-sm bg-card text-muted-foreground hover:text-foreground focus-visible:opacity-100 phone:static phone:size-10 phone:shrink-0 phone:opacity-100',
            isOpen ? 'opacity-100' : 'opacity-0 group-hover:opacity-100',
          )}
        >
          <ChevronDown aria-hidden size={14} className={classNames('transition-transform', isOpen && 'rotate-180')} />
        </button>
        <span
          aria-hidden
          data-grip={type}
          onPointerDown={(event) => handlePointerDown(event, { isGrip: true })}
          className="grid size-5 shrink-0 cursor-grab touch-none place-items-center text-input phone:size-10"
        >
          <GripVertical size={14} strokeWidth={1.75} />
        </span>
      </div>
      <div id={detailId} hidden={!isOpen} className="px-3.5 pt-1 pb-3 ps-[58px] text-small text-muted-foreground">
        <p>{helpText}</p>
        <ul className="mt-1.5 list-disc ps-4">
          {useCases.slice(0, maxUseCases).map((useCase) => (
            <li key={useCase}>{useCase}</li>
          ))}
        </ul>
      </div>
    </li>
  )
}

type ChosenCategory = FrameCategory | 'all'

/** Searches name and description within the exact category. */
export function searchLibrary(types: readonly FrameType[], query: string, category: ChosenCategory): FrameType[] {
  const isMatch = createTextFilter(query)
  return types.filter((type) => {
    const definition = frameTypes[type]
    return (category === 'all' || definition.category === category) && isMatch(definition.name, definition.description)
  })
}
