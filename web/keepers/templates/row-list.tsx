import { ArrowDown, ArrowUp, GripVertical, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { moveItem, useReorder } from '#web/ui/fields/use-reorder.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'

interface RowListProps<Row extends { row: string }> {
  label: string
  rows: Row[]
  maxRows: number
  addLabel: string
  createRow: () => Row
  getName: (row: Row, index: number) => string
  onChange: (rows: Row[]) => void
  children: (row: Row, index: number, update: (change: Partial<Row>) => void) => ReactNode
}

/** Rows of a form. People move them by handle, by button, or with Alt and an arrow key. */
export function RowList<Row extends { row: string }>(props: RowListProps<Row>) {
  const { label, rows, maxRows, addLabel, createRow, getName, onChange, children } = props
  const listRef = useRef<HTMLOListElement>(null)
  const move = (from: number, to: number) => onChange(moveItem(rows, from, to))
  const reorder = useReorder(rows.length, move)

  function addRow() {
    onChange([...rows, createRow()])
    requestAnimationFrame(() =>
      listRef.current?.querySelector<HTMLInputElement>(':scope > li:last-child input')?.focus(),
    )
  }

  return (
    <div className="flex flex-col gap-3">
      <ol ref={listRef} aria-label={label} className="flex flex-col gap-3">
        {rows.map((row, index) => {
          const name = getName(row, index)
          return (
            <li
              key={row.row}
              {...reorder.getRowProps(index)}
              className={classNames(
                'flex flex-col gap-3 rounded-md border border-border bg-card p-3',
                reorder.isOver(index) && 'outline-2 outline-dashed outline-ribbon',
              )}
            >
              <div className="flex items-center gap-1">
                <span {...reorder.getHandleProps(index)} aria-hidden className="cursor-grab p-1 text-muted-foreground">
                  <GripVertical size={16} />
                </span>
                <span className="min-w-0 flex-1 truncate text-small text-muted-foreground">
                  {index + 1}. {name}
                </span>
                <IconButton
                  size="small"
                  label={`Move ${name} up`}
                  disabled={index === 0}
                  onClick={() => move(index, index - 1)}
                >
                  <ArrowUp aria-hidden size={15} />
                </IconButton>
                <IconButton
                  size="small"
                  label={`Move ${name} down`}
                  disabled={index === rows.length - 1}
                  onClick={() => move(index, index + 1)}
                >
                  <ArrowDown aria-hidden size={15} />
                </IconButton>
                <IconButton
                  size="small"
                  label={`Remove ${name}`}
                  onClick={() => onChange(rows.filter((other) => other !== row))}
                >
                  <Trash2 aria-hidden size={15} />
                </IconButton>
              </div>
              {children(row, index, (change) =>
                onChange(rows.map((other) => (other === row ? { ...row, ...change } : other))),
              )}
            </li>
          )
        })}
      </ol>
      <div>
        <Button onClick={addRow} disabled={rows.length >= maxRows} icon={<Plus aria-hidden size={15} />}>
          {addLabel}
        </Button>
      </div>
    </div>
  )
}
