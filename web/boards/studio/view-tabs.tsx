import { type KeyboardEvent, useCallback, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { changeParams } from '#web/page/use-address-params.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'

const tabLabels: Record<StudioTab, string> = {
  edit: 'Edit',
  layout: 'Layout',
  preview: 'Preview',
  assist: 'AI assist',
}
export const tabPanelId = 'board-studio-view'
export const getTabId = (tab: StudioTab) => `board-studio-tab-${tab}`

interface ViewTabsProps {
  value: StudioTab
  onValueChange: (tab: StudioTab) => void
  className?: string
}

export function ViewTabs({ value, onValueChange, className }: ViewTabsProps) {
  const list = useRef<HTMLDivElement>(null)

  function handleKeyDown(event: KeyboardEvent) {
    // Take the focused tab, not `value`, which lags behind while a view loads.
    const index = studioTabs.findIndex((tab) => getTabId(tab) === document.activeElement?.id)
    const count = studioTabs.length
    const nextIndexByKey: Record<string, number> = {
      ArrowRight: (index + 1) % count,
      ArrowLeft: (index + count - 1) % count,
      Home: 0,
      End: count - 1,
    }
    const next = studioTabs[nextIndexByKey[event.key] ?? -1]
    if (!next) return
    event.preventDefault()
    onValueChange(next)
    list.current?.querySelector<HTMLElement>(`#${getTabId(next)}`)?.focus()
  }

  return (
    <div
      ref={list}
      role="tablist"
      aria-label="View"
      onKeyDown={handleKeyDown}
      className={classNames('flex flex-wrap gap-0.5 rounded-md bg-secondary p-[3px]', className)}
    >
      {studioTabs.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={getTabId(tab)}
          aria-selected={tab === value}
          aria-controls={tab === value ? tabPanelId : undefined}
          tabIndex={tab === value ? 0 : -1}
          onClick={() => onValueChange(tab)}
          className="tap-area rounded-sm px-[11px] text-[0.78125rem] leading-[1.625rem] font-medium whitespace-nowrap text-muted-foreground transition-colors duration-120 hover:text-foreground aria-selected:bg-raised aria-selected:font-semibold aria-selected:text-foreground aria-selected:shadow-e1 phone:leading-[2.125rem]"
        >
          {tabLabels[tab]}
        </button>
      ))}
    </div>
  )
}

const studioTabs = ['edit', 'layout', 'preview', 'assist'] as const
export type StudioTab = (typeof studioTabs)[number]

interface StudioAddress {
  boardId: string | null
  tab: StudioTab
  runId: string | null
}

/** `?board=` opens a board, `?tab=` one of its views; `?runId=` shows a coordinator run instead. */
export function useStudioAddress() {
  const [params, setParams] = useSearchParams()
  const tab = params.get('tab')
  const address: StudioAddress = {
    boardId: params.get('board') || null,
    tab: studioTabs.find((studioTab) => studioTab === tab) ?? 'edit',
    runId: params.get('runId') || null,
  }
  const openBoard = useCallback((boardId: string | null) => setParams(boardId ? { board: boardId } : {}), [setParams])
  const showTab = useCallback(
    (next: StudioTab) =>
      setParams((previous) => changeParams(previous, { tab: next === 'edit' ? null : next }), { replace: true }),
    [setParams],
  )
  return { ...address, openBoard, showTab }
}
