import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { boardAssist } from '#contract/boards/board-assist.ts'
import { getReasonText } from '#web/agents/runs/reason-text.ts'
import { useRun } from '#web/agents/runs/run-store.ts'
import { call, stream } from '#web/api/api.ts'
import { useDraft } from '#web/offline/use-draft.ts'

/** Local draft: the purpose and the run being viewed. */
interface AssistanceDraft {
  purpose: string
  runId: string | null
  /** IDs of skipped frames. */
  skipped: string[]
}
const emptyAssistanceDraft: AssistanceDraft = { purpose: '', runId: null, skipped: [] }

export function useAssistance(boardId: string) {
  const draft = useDraft<AssistanceDraft>(`board-assist/${boardId}`, emptyAssistanceDraft)
  const { value: draftValue, set } = draft
  const { view, start, stop, forget } = useRun()
  const running = view?.status === 'running'
  const done = view?.status === 'success' && draftValue.runId !== null && view.runId === draftValue.runId

  // Resume an earlier run once, after the draft has loaded.
  const hasResumed = useRef(false)
  useEffect(() => {
    if (!draft.ready || hasResumed.current) return
    hasResumed.current = true
    if (draftValue.runId) void start({ runId: draftValue.runId })
  }, [draft.ready, draftValue.runId, start])

  const proposalsQuery = useQuery({
    queryKey: ['board-assist', boardId, draftValue.runId],
    queryFn: ({ signal }) =>
      call(boardAssist.proposals, { params: { id: boardId, runId: draftValue.runId ?? '' }, signal }),
    enabled: done,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })

  const latest = useRef(draftValue)
  latest.current = draftValue
  const runId = view?.runId
  useEffect(() => {
    if (runId && latest.current.runId !== runId) set({ ...latest.current, runId, skipped: [] })
  }, [runId, set])

  const requestProposals = useCallback(() => {
    const purpose = latest.current.purpose.trim()
    hasResumed.current = true
    set({ ...latest.current, runId: null, skipped: [] })
    void start({
      streamRun: (signal, onEvent) =>
        stream(boardAssist.propose, { params: { id: boardId }, body: { purpose }, signal }, onEvent),
    })
  }, [boardId, start, set])

  const clear = useCallback(() => {
    forget()
    set({ ...latest.current, runId: null, skipped: [] })
  }, [forget, set])

  const failed = view && !running && view.status !== 'success'
  return {
    purpose: draftValue.purpose,
    setPurpose: (purpose: string) => set({ ...latest.current, purpose }),
    skipped: draftValue.skipped,
    setSkipped: (skipped: string[]) => set({ ...latest.current, skipped }),
    view,
    running,
    isLoadingProposals: done && proposalsQuery.isPending,
    proposalResult: done ? proposalsQuery.data : undefined,
    problem: failed
      ? view.status === 'stopped'
        ? 'Stopped. Nothing was suggested.'
        : (view.reason ?? 'The agent didn’t respond.')
      : done && proposalsQuery.error
        ? getReasonText(proposalsQuery.error, 'The suggestions couldn’t be read.')
        : undefined,
    requestProposals,
    stop,
    clear,
  }
}
