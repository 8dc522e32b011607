import { useQuery } from '@tanstack/react-query'
import { Sparkles, Square } from 'lucide-react'
import { type FormEvent, useEffect, useId, useMemo, useRef } from 'react'
import { Link } from 'react-router'
import { boardAssist } from '#contract/boards/board-assist.ts'
import type { BoardType, Frame } from '#contract/boards/boards.ts'
import { findFreePositions, overlaps } from '#contract/boards/free-positions.ts'
import { getRunPath } from '#web/agents/agent-addresses.ts'
import { getReasonText } from '#web/agents/runs/reason-text.ts'
import { RunClock } from '#web/agents/runs/run-answer.tsx'
import { MockBadge } from '#web/agents/runs/run-status-badge.tsx'
import { useRun } from '#web/agents/runs/run-store.ts'
import { call, stream } from '#web/api/api.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { sendOnKey } from '#web/ui/fields/field-keys.ts'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { type Box, getFrameBox } from '../document/board-document.ts'
import { useBoard, useBoardEditor } from '../document/use-board-editor.tsx'
import { BoardPicture } from '../studio/board-picture.tsx'
import { ProposalList } from './proposal-list.tsx'

/** Local draft: the purpose and the run being viewed. */
interface AssistanceDraft {
  purpose: string
  runId: string | null
  /** IDs of skipped frames. */
  skipped: string[]
}
const minPurposeLength = 3
const emptyAssistanceDraft: AssistanceDraft = { purpose: '', runId: null, skipped: [] }

function useAssistance(boardId: string) {
  const draft = useDraft<AssistanceDraft>(`board-assist/${boardId}`, emptyAssistanceDraft)
  const { value: draftValue, set } = draft
  const { view, start, stop, forget } = useRun()
  const isRunning = view?.status === 'running'
  const isDone = view?.status === 'success' && draftValue.runId !== null && view.runId === draftValue.runId

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
    enabled: isDone,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })

  const latestDraft = useRef(draftValue)
  latestDraft.current = draftValue
  const runId = view?.runId
  useEffect(() => {
    if (runId && latestDraft.current.runId !== runId) set({ ...latestDraft.current, runId, skipped: [] })
  }, [runId, set])

  const change = (changes: Partial<AssistanceDraft>) => set({ ...latestDraft.current, ...changes })

  function requestProposals() {
    const body = { purpose: latestDraft.current.purpose.trim() }
    hasResumed.current = true
    change({ runId: null, skipped: [] })
    void start({
      streamRun: (signal, onEvent) => stream(boardAssist.propose, { params: { id: boardId }, body, signal }, onEvent),
    })
  }

  function clear() {
    forget()
    change({ runId: null, skipped: [] })
  }

  function getProblem(): string | undefined {
    if (view?.status === 'stopped') return 'Stopped. Nothing was suggested.'
    if (view && !isRunning && view.status !== 'success') return view.reason ?? 'The agent didn’t respond.'
    if (!isDone || !proposalsQuery.error) return undefined
    return getReasonText(proposalsQuery.error, 'The suggestions couldn’t be read.')
  }
  return {
    purpose: draftValue.purpose,
    setPurpose: (purpose: string) => change({ purpose }),
    skipped: draftValue.skipped,
    setSkipped: (skipped: string[]) => change({ skipped }),
    view,
    isRunning,
    isLoadingProposals: isDone && proposalsQuery.isPending,
    proposalResult: isDone ? proposalsQuery.data : undefined,
    problem: getProblem(),
    requestProposals,
    stop,
    clear,
  }
}

const purposeExamples: Record<BoardType, readonly string[]> = {
  custom_board: [
    'Prepare a decision: arguments for and against, and someone to think aloud with',
    'A weekly review: steps to go through, and what I want to keep an eye on',
    'Try two agents on the same prompt and compare what they say',
  ],
  agent: ['Try this agent on three prompts I use every day', 'Talk to the agent, with its settings alongside'],
  domain: ['The state of the domain at a glance', 'Welcome someone new: who’s here, what’s shared, what to do first'],
  journey: [
    'Walk through the journey with someone who asks good questions',
    'Close the journey: what was learned, what stays',
  ],
  'keeper-type': ['Shape this keeper type step by step', 'Show what a keeper of this type could hold'],
  people: ['Who’s here, who’s waiting, and what happened this week', 'Plan a season together: steps and who does what'],
}

export function AssistTab() {
  const editor = useBoardEditor()
  const board = useBoard((state) => state.board)
  const document = useBoard((state) => state.document)
  const isDirty = useBoard((state) => state.isDirty)
  const assistance = useAssistance(editor.id)
  const {
    purpose,
    setPurpose,
    skipped: skippedIds,
    isRunning,
    isLoadingProposals,
    view,
    problem,
    requestProposals,
  } = assistance
  const proposalResult = assistance.proposalResult
  const headingId = useId()

  const boardFrameIds = useMemo(() => new Set(document.frames.map(({ id }) => id)), [document])
  const pendingFrames = useMemo(() => {
    const frames = proposalResult?.proposals.map(({ frame }) => frame) ?? []
    const openProposals = frames.filter(({ id }) => !boardFrameIds.has(id) && !skippedIds.includes(id))
    return placeProposals(document.frames, openProposals)
  }, [proposalResult, document, boardFrameIds, skippedIds])
  const pendingIds = useMemo(() => new Set(pendingFrames.map(({ id }) => id)), [pendingFrames])

  const canSubmit = editor.canEdit && purpose.trim().length >= minPurposeLength && !isRunning
  function submit(event?: FormEvent) {
    event?.preventDefault()
    if (canSubmit) requestProposals()
  }

  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto grid max-w-[1120px] grid-cols-[minmax(280px,360px)_minmax(0,1fr)] items-start gap-8 px-7 py-7 max-[1100px]:grid-cols-1 phone:px-4 phone:py-5">
        <section aria-labelledby={headingId} className="flex flex-col gap-4">
          <div>
            <h2 id={headingId} className="text-h3">
              What is this board for?
            </h2>
            <p className="mt-1 text-ui text-muted-foreground">
              An agent suggests frames for it. Nothing is added until you accept it.
            </p>
          </div>
          <form onSubmit={submit} className="flex flex-col gap-3">
            <TextArea
              label="Board purpose"
              labelHidden
              serif
              rows={4}
              value={purpose}
              maxLength={2000}
              disabled={!editor.canEdit}
              placeholder="Plan the choir’s season, and keep track of who’s coming"
              onChange={(event) => setPurpose(event.currentTarget.value)}
              onKeyDown={sendOnKey(submit)}
            />
            <div className="flex flex-wrap items-center gap-2.5">
              {isRunning ? (
                <Button
                  busy={view?.stopping ?? false}
                  onClick={assistance.stop}
                  icon={<Square aria-hidden size={13} />}
                >
                  Stop
                </Button>
              ) : (
                <Button type="submit" variant="primary" disabled={!canSubmit} icon={<Sparkles aria-hidden size={14} />}>
                  {proposalResult ? 'Suggest again' : 'Suggest frames'}
                </Button>
              )}
              {!editor.canEdit && (
                <span className="text-small text-muted-foreground">You can view this board, but not change it.</span>
              )}
              {editor.canEdit && isDirty && (
                <span className="text-small text-muted-foreground">
                  The agent sees the last saved version of the board.
                </span>
              )}
            </div>
          </form>
          {editor.canEdit && purpose.trim() === '' && (
            <ul aria-label="Purposes to start from" className="flex flex-col gap-1.5">
              {purposeExamples[board.type].map((text) => (
                <li key={text}>
                  <button
                    type="button"
                    onClick={() => setPurpose(text)}
                    className="w-full rounded-md border border-border bg-card px-3 py-2 text-start text-ui leading-5 hover:bg-muted"
                  >
                    {text}
                  </button>
                </li>
              ))}
            </ul>
          )}
          {(document.frames.length > 0 || pendingFrames.length > 0) && (
            <figure>
              <BoardPicture
                frames={[...document.frames, ...pendingFrames]}
                {...(pendingIds.size > 0 && { highlightedIds: pendingIds })}
                label={formatFrameCount(document.frames.length, pendingFrames.length)}
              />
              <figcaption className="mt-1.5 text-small text-muted-foreground">
                {formatFrameCount(document.frames.length, pendingFrames.length)}
              </figcaption>
            </figure>
          )}
        </section>

        <section aria-label="Suggested frames" className="min-w-0">
          {isRunning && view && (
            <AssistProgress answer={view.text} since={view.startedAt} reconnecting={view.reconnecting} />
          )}
          {isLoadingProposals && <Skeleton className="h-40 rounded-lg" />}
          {problem && (
            <div role="alert" className="rounded-lg border border-border bg-card p-4">
              <p className="font-semibold wrap-anywhere">{problem}</p>
              <p className="mt-1 text-ui text-muted-foreground">Your text is safe, and the board is unchanged.</p>
              <div className="mt-3 flex flex-wrap items-center gap-3">
                <Button size="small" disabled={!canSubmit} onClick={requestProposals}>
                  Try again
                </Button>
                {view?.runId && (
                  <Link to={getRunPath(view.runId)} className={quietLinkClasses}>
                    View run
                  </Link>
                )}
              </div>
            </div>
          )}
          {proposalResult && !isRunning && (
            <>
              <header className="mb-4 flex flex-col gap-1.5">
                <div className="flex flex-wrap items-center gap-2">
                  <h2 role="status" className="text-h3">
                    {pluralize(proposalResult.proposals.length, 'frame')} suggested
                  </h2>
                  {proposalResult.mock_mode && <MockBadge />}
                </div>
                {proposalResult.summary && (
                  <p className="font-serif text-[1rem] leading-6 wrap-anywhere">{proposalResult.summary}</p>
                )}
                {proposalResult.mock_mode && (
                  <p className="text-ui text-muted-foreground">
                    No key is set, so these are mock suggestions based only on your words.
                  </p>
                )}
                {proposalResult.left_out > 0 && (
                  <p className="text-ui text-muted-foreground">
                    {proposalResult.left_out === 1
                      ? '1 more wasn’t suitable for a board and was left out.'
                      : `${proposalResult.left_out} more weren’t suitable for a board and were left out.`}
                  </p>
                )}
              </header>
              <ProposalList
                proposals={proposalResult.proposals}
                pendingFrames={pendingFrames}
                boardFrameIds={boardFrameIds}
                skippedIds={skippedIds}
                onSkippedChange={assistance.setSkipped}
                onDone={assistance.clear}
              />
            </>
          )}
          {!view && !proposalResult && !problem && <AssistHint />}
        </section>
      </div>
    </div>
  )
}

function formatFrameCount(existingCount: number, proposedCount: number): string {
  const frames = `${pluralize(existingCount, 'frame')} on the board`
  return proposedCount === 0 ? frames : `${frames}, ${proposedCount} suggested`
}

interface AssistProgressProps {
  answer: string
  since: number
  reconnecting: boolean
}

function AssistProgress({ answer, since, reconnecting }: AssistProgressProps) {
  const names = readFrameNames(answer)
  return (
    <div role="status" className="flex flex-col gap-3 rounded-lg border border-border bg-card p-4">
      <p className="flex flex-wrap items-center gap-x-3 text-ui">
        <span className="font-semibold">
          {reconnecting ? 'Connection lost, reconnecting' : 'The agent is looking at the board'}
        </span>
        <span className="text-muted-foreground">
          <RunClock since={since} ms={undefined} running />
        </span>
      </p>
      {names.length > 0 && <p className="text-ui text-muted-foreground">So far: {names.join(', ')}</p>}
      <Skeleton className="h-4 w-3/5" />
      <Skeleton className="h-4 w-2/5" />
    </div>
  )
}

function AssistHint() {
  return (
    <p className="rounded-lg border-[1.5px] border-dashed border-border px-6 py-9 text-center text-ui text-muted-foreground">
      Say what the board is for. Suggested frames appear here for you to accept or skip.
    </p>
  )
}

/** Moves proposed frames whose position has been taken to free space, where there is any. */
export function placeProposals(frames: readonly Frame[], proposed: readonly Frame[]): Frame[] {
  const occupiedBoxes: Box[] = frames.map(getFrameBox)
  return proposed.map((frame) => {
    const box = getFrameBox(frame)
    const isFree = !occupiedBoxes.some((other) => overlaps(box, other))
    const position = isFree
      ? frame.data.position
      : (findFreePositions(occupiedBoxes, [frame.data.size])[0] ?? frame.data.position)
    occupiedBoxes.push({ ...frame.data.size, ...position })
    return isFree ? frame : { ...frame, data: { ...frame.data, position } }
  })
}

/** A JSON property such as `"name": "Cover"`; its value can contain escapes. */
const namePropertyPattern = /"name"\s*:\s*"((?:[^"\\]|\\.){1,120})"/g

/** Reads frame names from an incomplete JSON response. */
export function readFrameNames(answer: string): string[] {
  return [...answer.matchAll(namePropertyPattern)].flatMap(([, name]) => {
    try {
      return [JSON.parse(`"${name}"`) as string]
    } catch {
      return []
    }
  })
}
