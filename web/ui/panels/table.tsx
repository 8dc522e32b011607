import { ArrowDown, ArrowUp } from 'lucide-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { classNames } from '../hooks/class-names.ts'

export interface Column<Row> {
  id: string
  header: ReactNode
  cell: (row: Row) => ReactNode
  align?: 'start' | 'end' | 'center'
  numeric?: boolean
  /** Leave out where sorting is not supported. */
  sortable?: boolean
  headerHidden?: boolean
  rowHeader?: boolean
  /** Hidden on phones; repeat what matters in another column. */
  wideOnly?: boolean
  className?: string
}

export interface TableSort<Id extends string = string> {
  column: Id
  direction: 'ascending' | 'descending'
}

export interface TableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  sort?: TableSort
  onSortChange?: (sort: TableSort) => void
  /** Visible on hover or focus, always visible on touch. With `opensRows`, the caller gives every control of a row but the first `tabIndex={-1}`. */
  rowActions?: (row: Row) => ReactNode
  /** A click anywhere on a row clicks its first link or button; arrow keys reach the others. */
  opensRows?: boolean
  isChosen?: (row: Row) => boolean
  /** Within a dialog or among other content: the head scrolls with the rows. Otherwise the table is in a `Card`. */
  isEmbedded?: boolean
  className?: string
}

const alignClasses = { start: 'text-start', end: 'text-end', center: 'text-center' }

/** Fades in where a mouse points or the focus is; for controls in a row, which is the `group`. */
export const quietActionClasses =
  'transition-opacity duration-120 hover-hover:opacity-0 hover-hover:group-hover:opacity-100 hover-hover:group-focus-within:opacity-100'

/** The head stays under the header of the app; a table too wide for its box scrolls sideways, with a fixed first column, instead. */
export function Table<Row>({
  label,
  columns,
  rows,
  rowKey,
  sort,
  onSortChange,
  rowActions,
  opensRows = false,
  isChosen,
  isEmbedded = false,
  className,
}: TableProps<Row>) {
  const box = useRef<HTMLElement>(null)
  const isScrolling = useIsTooWide(box)
  const firstColumnClasses = isScrolling && 'sticky start-0 z-10 border-e bg-card group-data-chosen:bg-ribbon-soft'
  const headClasses = !isScrolling && !isEmbedded && stickyHeadClasses
  return (
    <section
      ref={box}
      aria-label={label}
      tabIndex={isScrolling ? 0 : undefined}
      className={classNames(isScrolling && 'overflow-x-auto focus-visible:-outline-offset-2', className)}
    >
      <table aria-label={label} className="w-full border-separate border-spacing-0 text-ui">
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th
                key={column.id}
                scope="col"
                aria-sort={sort?.column === column.id ? sort.direction : undefined}
                className={classNames(
                  'border-b border-border px-3 py-2 phone:px-2 text-small font-label whitespace-nowrap text-muted-foreground',
                  alignClasses[column.align ?? (column.numeric ? 'end' : 'start')],
                  headClasses,
                  index === 0 && firstColumnClasses,
                  column.wideOnly && 'phone:hidden',
                )}
              >
                {column.sortable && onSortChange ? (
                  <SortButton column={column.id} sort={sort} onSortChange={onSortChange}>
                    {column.header}
                  </SortButton>
                ) : (
                  <span className={column.headerHidden ? 'sr-only' : undefined}>{column.header}</span>
                )}
              </th>
            ))}
            {rowActions && (
              <th scope="col" className={classNames('border-b border-border', headClasses)}>
                <span className="sr-only">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the row's own link or button is there for the keyboard
            <tr
              key={rowKey(row)}
              data-chosen={isChosen?.(row) || undefined}
              onClick={opensRows ? openRow : undefined}
              onKeyDown={opensRows ? moveInRow : undefined}
              className={classNames(
                'group transition-colors duration-120 hover:bg-fill-hover data-chosen:bg-ribbon-soft/50',
                opensRows && 'cursor-pointer',
              )}
            >
              {columns.map((column, index) => {
                const Cell = column.rowHeader ? 'th' : 'td'
                return (
                  <Cell
                    key={column.id}
                    scope={column.rowHeader ? 'row' : undefined}
                    className={classNames(
                      'border-b border-hairline px-3 py-[9px] font-normal group-last:border-b-0 phone:px-2',
                      alignClasses[column.align ?? (column.numeric ? 'end' : 'start')],
                      index === 0 && firstColumnClasses,
                      column.numeric && 'tabular-nums',
                      column.wideOnly && 'phone:hidden',
                      column.className,
                    )}
                  >
                    {column.cell(row)}
                  </Cell>
                )
              })}
              {rowActions && (
                <td className="border-b border-hairline px-3 py-1 text-end whitespace-nowrap group-last:border-b-0 phone:px-2">
                  <span className={`inline-flex gap-1 ${quietActionClasses}`}>{rowActions(row)}</span>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

export const stickyHeadClasses = 'sticky top-(--header-height) z-10 bg-card'

/** Whether the table in the box is wider than the box. */
function useIsTooWide(boxRef: RefObject<HTMLElement | null>): boolean {
  const [isTooWide, setTooWide] = useState(false)
  useLayoutEffect(() => {
    const box = boxRef.current
    const table = box?.firstElementChild
    if (!box || !table) return
    const measure = () => setTooWide(table.scrollWidth > box.clientWidth + 1)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    observer.observe(table)
    return () => observer.disconnect()
  }, [boxRef])
  return isTooWide
}

interface SortButtonProps<Id extends string> {
  column: Id
  sort: TableSort<Id> | undefined
  onSortChange: (sort: TableSort<Id>) => void
  children: ReactNode
}

export function SortButton<Id extends string>({ column, sort, onSortChange, children }: SortButtonProps<Id>) {
  const direction = sort?.column === column ? sort.direction : undefined
  const Arrow = direction === 'descending' ? ArrowDown : ArrowUp
  return (
    <button
      type="button"
      onClick={() => onSortChange({ column, direction: direction === 'ascending' ? 'descending' : 'ascending' })}
      className="inline-flex min-h-6 items-center gap-1 rounded-xs hover:text-foreground"
    >
      {children}
      <Arrow aria-hidden size={13} className={direction ? 'text-foreground' : 'opacity-40'} />
    </button>
  )
}

const controls = 'a[href], button'

/** Clicks the first link or button of a row, unless another control was clicked or text selected. */
export function openRow(event: MouseEvent<HTMLElement>): void {
  const { target, currentTarget: row, ctrlKey, metaKey, shiftKey } = event
  // React also delivers the clicks of dialogs that a row opened.
  if (!(target instanceof Element) || !row.contains(target)) return
  if (target.closest(`${controls}, label, input, select, textarea`) || getSelection()?.type === 'Range') return
  const opener = row.querySelector<HTMLElement>(controls)
  // A dialog returns the focus to it.
  opener?.focus({ preventScroll: true })
  opener?.dispatchEvent(new window.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }))
}

/** Left and right move between the controls of a row, of which only the first needs to be a tab stop. */
function moveInRow(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (!step || event.altKey || event.ctrlKey || event.metaKey) return
  const rowControls = [...event.currentTarget.querySelectorAll<HTMLElement>(controls)]
  const index = rowControls.findIndex((control) => control === event.target)
  const next = index < 0 ? undefined : rowControls[index + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
