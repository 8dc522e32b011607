import { classNames } from '../hooks/class-names.ts'
import { Button } from './button.tsx'

export interface PaginationProps {
  page: number
  pageCount: number
  onPageChange: (page: number) => void
  label?: string
  busy?: boolean
  className?: string
}

export function Pagination({
  page,
  pageCount,
  onPageChange,
  label = 'Pages',
  busy = false,
  className,
}: PaginationProps) {
  return (
    <nav aria-label={label} className={classNames('flex items-center gap-3', className)}>
      <span aria-live="polite" className="text-small tabular-nums text-muted-foreground">
        Page {page} of {Math.max(pageCount, 1)}
      </span>
      <span className="ms-auto flex gap-2">
        <Button size="small" disabled={page <= 1 || busy} onClick={() => onPageChange(page - 1)}>
          Previous
        </Button>
        <Button size="small" disabled={page >= pageCount || busy} onClick={() => onPageChange(page + 1)}>
          Next
        </Button>
      </span>
    </nav>
  )
}
