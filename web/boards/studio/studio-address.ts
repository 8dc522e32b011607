import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

export const studioTabs = ['edit', 'layout', 'preview', 'assist'] as const
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
      setParams(
        (previous) => {
          const updated = new URLSearchParams(previous)
          if (next === 'edit') updated.delete('tab')
          else updated.set('tab', next)
          return updated
        },
        { replace: true },
      ),
    [setParams],
  )
  return { ...address, openBoard: openBoard, showTab: showTab }
}
