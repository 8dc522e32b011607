import type { ComponentProps, ReactNode } from 'react'
import { QueryState } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'

interface BarFrameProps {
  name: ReactNode
  picker?: ReactNode
  tabs?: ReactNode
  trailing?: ReactNode
}

export function BarFrame({ name, picker, tabs, trailing }: BarFrameProps) {
  return (
    <div data-chrome className="@container shrink-0 border-b border-border bg-card">
      <div className="flex min-h-12 flex-wrap items-center gap-x-2.5 gap-y-2 px-3.5 py-[7px] phone:px-3 phone:py-2">
        <div className="flex min-w-0 flex-1 basis-0 items-center gap-2.5">
          <div className="flex min-w-0 items-center gap-2">{name}</div>
          {picker}
        </div>
        {tabs && (
          <div className="@max-[43.75rem]:order-last @max-[43.75rem]:w-full @max-[43.75rem]:*:w-full">{tabs}</div>
        )}
        <div className="flex flex-1 basis-0 items-center justify-end gap-2 phone:gap-1 @max-[43.75rem]:flex-none @max-[43.75rem]:basis-auto">
          {trailing}
        </div>
      </div>
    </div>
  )
}

export function RightPanel({ label, children }: { label: string; children: ReactNode }) {
  return (
    <aside
      data-right-panel
      data-chrome
      aria-label={label}
      className="h-full w-[264px] shrink-0 overflow-y-auto border-s border-border bg-card"
    >
      {children}
    </aside>
  )
}

interface ClosedBarProps {
  name: ReactNode
  onShowBoards: (() => void) | undefined
}

/** The studio bar while no board is open. */
export function ClosedBar({ name, onShowBoards }: ClosedBarProps) {
  return (
    <BarFrame
      name={name}
      trailing={
        <>
          {onShowBoards && (
            <Button size="small" className="h-8" onClick={onShowBoards}>
              Boards
            </Button>
          )}
          <Button variant="primary" size="small" className="h-8" disabled>
            Save
          </Button>
        </>
      }
    />
  )
}

/** Skeleton of a loading query, or its error message. */
export const QueryPlaceholder = (props: ComponentProps<typeof QueryState>) => (
  <QueryState {...props}>{({ message }) => message}</QueryState>
)
