import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { classNames } from '../hooks/class-names.ts'
import { useActiveInView } from '../hooks/use-active-in-view.ts'

interface Tab<Id extends string> {
  id: Id
  label: ReactNode
  count?: number
  /** Highlights the count: something waits for the reader. */
  needsAttention?: boolean
  disabled?: boolean
}

export interface TabsProps<Id extends string> {
  label: string
  tabs: readonly Tab<Id>[]
  value: Id
  onValueChange: (id: Id) => void
  children: ReactNode
}

export function Tabs<Id extends string>({ label, tabs, value, onValueChange, children }: TabsProps<Id>) {
  const baseId = useId()
  const listRef = useRef<HTMLDivElement>(null)
  useActiveInView(listRef, '[aria-selected=true]', `${value} ${tabs.find(({ id }) => id === value)?.count}`)
  const enabledTabs = tabs.filter((tab) => !tab.disabled)

  function handleKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const index = enabledTabs.findIndex((tab) => tab.id === value)
    const last = enabledTabs.length - 1
    const targetIndexByKey: Record<string, number> = {
      ArrowRight: index >= last ? 0 : index + 1,
      ArrowLeft: index <= 0 ? last : index - 1,
      Home: 0,
      End: last,
    }
    const next = enabledTabs[targetIndexByKey[event.key] ?? -1]
    if (!next) return
    event.preventDefault()
    onValueChange(next.id)
    listRef.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus()
  }

  return (
    <div>
      <div className="mb-5 flex border-b border-border" data-chrome>
        <div
          ref={listRef}
          role="tablist"
          aria-label={label}
          onKeyDown={handleKeyDown}
          className="-mx-1.5 -mb-px flex min-w-0 flex-1 gap-3.5 overflow-x-auto px-0.5 pt-1 [scrollbar-width:none] phone:-mx-4 phone:mask-x-from-[calc(100%-1rem)] phone:gap-2.5 phone:px-3"
        >
          {tabs.map((tab) => {
            const isSelected = tab.id === value
            return (
              <button
                key={tab.id}
                type="button"
                role="tab"
                id={`${baseId}-${tab.id}`}
                data-tab={tab.id}
                aria-selected={isSelected}
                aria-controls={isSelected ? `${baseId}-panel` : undefined}
                aria-disabled={tab.disabled || undefined}
                tabIndex={isSelected ? 0 : -1}
                onClick={() => {
                  if (!tab.disabled) onValueChange(tab.id)
                }}
                className={classNames(
                  'relative flex shrink-0 items-center gap-[7px] rounded-sm px-1 pb-2.5 text-body whitespace-nowrap phone:min-h-10 transition-colors duration-120 focus-visible:-outline-offset-2',
                  isSelected
                    ? 'font-semibold text-foreground after:absolute after:inset-x-1 after:bottom-0 after:h-0.5 after:bg-foreground'
                    : 'font-medium text-muted-foreground hover:text-foreground',
                  tab.disabled && 'cursor-not-allowed! hover:text-muted-foreground',
                )}
              >
                {tab.label}
                {tab.count !== undefined && <Count value={tab.count} needsAttention={tab.needsAttention} />}
              </button>
            )
          })}
        </div>
      </div>
      <div
        key={value}
        role="tabpanel"
        id={`${baseId}-panel`}
        aria-labelledby={`${baseId}-${value}`}
        className="animate-slide"
      >
        {children}
      </div>
    </div>
  )
}

function Count({ value, needsAttention = false }: { value: number; needsAttention?: boolean }) {
  return (
    <span
      className={classNames(
        'min-w-[1.125rem] rounded-full px-[5px] text-center text-micro leading-4 font-semibold tabular-nums',
        needsAttention && value > 0 ? 'bg-ribbon-soft text-ribbon-text' : 'bg-secondary text-secondary-foreground',
      )}
    >
      {value}
    </span>
  )
}
