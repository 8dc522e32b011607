import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { boardAssist } from '#contract/boards/board-assist.ts'
import { reasonText } from '#web/agents/runs/reason-text.ts'
import { useRunStream } from '#web/agents/runs/use-run-stream.ts'
import { call, stream } from '#web/api.ts'
import { useDraft } from '#web/offline/use-draft.ts'

/** What lies in this browser: the words, and which answer is being looked at. */
interface Asking {
  purpose: string
  runId: string | null
  /** Ids of frames that were skipped. */
  skipped: string[]
}
const nothingAsked: Asking = { purpose: '', runId: null, skipped: [] }

/** The purpose as it is written, the run that answers it, and what that proposes; found again after a reload. */
export function useAssistance(boardId: string) {
  const draft = useDraft<Asking>(`board-assist/${boardId}`, nothingAsked)
  const { value: asking, set } = draft
  const { view, look, stop, forget } = useRunStream()
  const running = view?.status === 'running'
  const done = view?.status === 'success' && asking.runId !== null && view.runId === asking.runId

  // An answer of before is looked for once, when this browser has said what it has.
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
        ? 'Stopped. Nothing was proposed.'
        : (view.reason ?? 'The agent did not answer.')
      : done && found.error
        ? reasonText(found.error, 'What was proposed could not be read.')
        : undefined,
    ask,
    stop,
    clear,
  }
}
