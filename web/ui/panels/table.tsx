import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
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
  /** Visible on hover or focus, always visible on touch. */
  rowActions?: (row: Row) => ReactNode
  isChosen?: (row: Row) => boolean
  className?: string
}

const alignClasses = { start: 'text-start', end: 'text-end', center: 'text-center' }

export function Table<Row>({
  label,
  columns,
  rows,
  rowKey,
  sort,
  onSortChange,
  rowActions,
  isChosen,
  className,
}: TableProps<Row>) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      className={classNames('overflow-x-auto focus-visible:-outline-offset-2', className)}
    >
      <table aria-label={label} className="w-full border-collapse text-ui">
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                aria-sort={sort?.column === column.id ? sort.direction : undefined}
                className={classNames(
                  'border-b border-border px-3 py-2 phone:px-2 text-small font-label whitespace-nowrap text-muted-foreground',
                  alignClasses[column.align ?? (column.numeric ? 'end' : 'start')],
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
              <th scope="col" className="border-b border-border">
                <span className="sr-only">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              data-chosen={isChosen?.(row) || undefined}
              className="group border-b border-hairline transition-colors duration-120 last:border-0 hover:bg-fill-hover data-chosen:bg-ribbon-soft/50"
            >
              {columns.map((column) => {
                const Cell = column.rowHeader ? 'th' : 'td'
                return (
                  <Cell
                    key={column.id}
                    scope={column.rowHeader ? 'row' : undefined}
                    className={classNames(
                      'px-3 py-[9px] font-normal phone:px-2',
                      alignClasses[column.align ?? (column.numeric ? 'end' : 'start')],
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
                <td className="px-3 py-1 text-end phone:px-2 whitespace-nowrap">
                  <span className="inline-flex gap-1 transition-opacity duration-120 hover-hover:opacity-0 hover-hover:group-hover:opacity-100 hover-hover:group-focus-within:opacity-100">
                    {rowActions(row)}
                  </span>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
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
