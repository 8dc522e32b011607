import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { boardAssist } from '#contract/boards/board-assist.ts'
import { reasonText } from '#web/agents/runs/reason-text.ts'
import { useRunStream } from '#web/agents/runs/use-run-stream.ts'
import { call, stream } from '#web/api.ts'
import { useDraft } from '#web/offline/use-draft.ts'

/** Local draft: the purpose and the run being viewed. */
interface Asking {
  purpose: string
  runId: string | null
  /** IDs of skipped frames. */
  skipped: string[]
}
const nothingAsked: Asking = { purpose: '', runId: null, skipped: [] }

/** The purpose, its run and the proposals; survives a reload. */
export function useAssistance(boardId: string) {
  const draft = useDraft<Asking>(`board-assist/${boardId}`, nothingAsked)
  const { value: asking, set } = draft
  const { view, look, stop, forget } = useRunStream()
  const running = view?.status === 'running'
  const done = view?.status === 'success' && asking.runId !== null && view.runId === asking.runId

  // Resume an earlier run once, after the draft has loaded.
  const looked = useRef(false)
  useEffect(() => {
    if (!draft.ready || looked.current) return
    looked.current = true
    if (asking.runId) void look({ runId: asking.runId })
  }, [draft.ready, asking.runId, look])

  const found = useQuery({
    queryKey: ['board-assist', boardId, asking.runId],
    queryFn: ({ signal }) =>
      call(boardAssist.proposals, { params: { id: boardId, runId: asking.runId ?? '' }, signal }),
    enabled: done,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })

  const latest = useRef(asking)
  latest.current = asking
  const runId = view?.runId
  useEffect(() => {
    if (runId && latest.current.runId !== runId) set({ ...latest.current, runId, skipped: [] })
  }, [runId, set])

  const ask = useCallback(() => {
    const purpose = latest.current.purpose.trim()
    looked.current = true
    set({ ...latest.current, runId: null, skipped: [] })
    void look({
      ask: (signal, hear) => stream(boardAssist.propose, { params: { id: boardId }, body: { purpose }, signal }, hear),
    })
  }, [boardId, look, set])

  const clear = useCallback(() => {
    forget()
    set({ ...latest.current, runId: null, skipped: [] })
  }, [forget, set])

  const failed = view && !running && view.status !== 'success'
  return {
    purpose: asking.purpose,
    setPurpose: (purpose: string) => set({ ...latest.current, purpose }),
    skipped: asking.skipped,
    setSkipped: (skipped: string[]) => set({ ...latest.current, skipped }),
    view,
    running,
    reading: done && found.isPending,
    assistance: done ? found.data : undefined,
    problem: failed
      ? view.status === 'stopped'
        ? 'Stopped. Nothing was suggested.'
        : (view.reason ?? 'The agent didn’t respond.')
      : done && found.error
        ? reasonText(found.error, 'The suggestions couldn’t be read.')
        : undefined,
    ask,
    stop,
    clear,
  }
}
