import { Check, GripVertical, Minus, Pencil, Plus, Trash2 } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react'
import { type ProcessStep, readContent, stepStates } from '#contract/boards/frame-content.ts'
import { truncate } from '#contract/truncate.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { moveItem, useReorder } from '#web/ui/fields/use-reorder.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import type { FrameBodyProps } from './frame-bodies.ts'
import { FrameNote } from './frame-boundary.tsx'
import { getFrameKey } from './frame-query.tsx'

const stepStateLabels: Record<ProcessStep['state'], string> = {
  todo: 'to do',
  active: 'in progress',
  done: 'done',
  skipped: 'skipped',
}

export function getNextState(state: ProcessStep['state']): ProcessStep['state'] {
  return stepStates[(stepStates.indexOf(state) + 1) % stepStates.length] ?? 'todo'
}

export const setStepState = (steps: readonly ProcessStep[], id: string, state: ProcessStep['state']): ProcessStep[] =>
  steps.map((step) => (step.id === id ? { ...step, state } : step))

/** Removes the step if the title is empty. */
export function renameStep(steps: readonly ProcessStep[], id: string, title: string): ProcessStep[] {
  const newTitle = title.trim()
  if (newTitle === '') return steps.filter((step) => step.id !== id)
  return steps.map((step) => (step.id === id ? { ...step, title: newTitle } : step))
}

const maxTitleLength = 200

/** Appends a step per line, splitting long lines; `remainingText` has the lines beyond the maximum. */
export function addSteps(steps: readonly ProcessStep[], text: string, maxSteps: number, createId: () => string) {
  const titles = text.split('\n').flatMap(splitTitle)
  const freeCount = Math.max(0, maxSteps - steps.length)
  const added = titles.slice(0, freeCount).map((title): ProcessStep => ({ id: createId(), title, state: 'todo' }))
  return { steps: [...steps, ...added], remainingText: titles.slice(freeCount).join('\n') }
}

const lastWordPattern = /\s\S*$/

/** Splits a long line, between words where possible. */
function splitTitle(line: string): string[] {
  const titles: string[] = []
  let remaining = line.trim()
  while (remaining.length > maxTitleLength) {
    const spaceIndex = remaining.slice(0, maxTitleLength + 1).search(lastWordPattern)
    const title = spaceIndex > 0 ? remaining.slice(0, spaceIndex) : truncate(remaining, maxTitleLength)
    titles.push(title.trimEnd())
    remaining = remaining.slice(title.length).trimStart()
  }
  return remaining === '' ? titles : [...titles, remaining]
}

/** For example `2 of 5 done`; ignores skipped steps. */
export function formatStepProgress(steps: readonly ProcessStep[]): string {
  const relevantSteps = steps.filter(({ state }) => state !== 'skipped')
  return `${relevantSteps.filter(({ state }) => state === 'done').length} of ${relevantSteps.length} done`
}

const maxSteps = 60

/** An ordered list of steps; clicking one advances its state. */
export function ProcessFrame({ frame, context, changeContent }: FrameBodyProps) {
  const { steps } = readContent('process_frame', frame.data.content)
  const listRef = useRef<HTMLUListElement>(null)
  const canChange = context.mode === 'edit'
  const change = (next: ProcessStep[]) => changeContent({ steps: next })
  const focusStep = (id: string | undefined) => {
    if (id === undefined) return
    requestAnimationFrame(() => listRef.current?.querySelector<HTMLElement>(`[data-step="${CSS.escape(id)}"]`)?.focus())
  }
  const reorder = useReorder(steps.length, (from, to) => {
    change(moveItem(steps, from, to))
    focusStep(steps[from]?.id)
  })

  if (!canChange && steps.length === 0) return <FrameNote>No steps yet.</FrameNote>
  return (
    <div className="flex min-h-full flex-col px-2 py-2">
      <ul ref={listRef} aria-label={`Steps, ${formatStepProgress(steps)}`} className="flex flex-col">
        {steps.map((step, index) => (
          <li
            key={step.id}
            {...(canChange && reorder.getRowProps(index))}
            className={classNames(
              'group/step flex min-h-[1.875rem] items-center rounded-sm',
              reorder.isOver(index) && 'shadow-[inset_0_2px_0_var(--k-ring)]',
            )}
          >
            {canChange ? (
              <ChangeableStep
                step={step}
                handle={reorder.getHandleProps(index)}
                onStateChange={(state) => change(setStepState(steps, step.id, state))}
                onRename={(title) => change(renameStep(steps, step.id, title))}
                onRenameEnd={() => focusStep(step.id)}
                onRemove={() => {
                  change(steps.filter(({ id }) => id !== step.id))
                  focusStep((steps[index + 1] ?? steps[index - 1])?.id)
                }}
              />
            ) : (
              <span className="flex items-center gap-2.5 px-1.5 py-1">
                <StepStateIcon state={step.state} />
                <StepTitle step={step} />
                <span className="sr-only">, {stepStateLabels[step.state]}</span>
              </span>
            )}
          </li>
        ))}
      </ul>
      {canChange && steps.length === 0 && (
        <p className="px-1.5 pb-1 font-serif text-[1rem] leading-[1.4375rem]">What comes first, and what’s next?</p>
      )}
      {canChange && (
        <AddStep
          frameKey={getFrameKey(context.boardId, frame.id)}
          isFull={steps.length >= maxSteps}
          onAdd={(text) => {
            const result = addSteps(steps, text, maxSteps, createClientId)
            if (result.steps.length > steps.length) change(result.steps)
            return result.remainingText
          }}
        />
      )}
    </div>
  )
}

interface ChangeableStepProps {
  step: ProcessStep
  handle: ReturnType<ReturnType<typeof useReorder>['getHandleProps']>
  onStateChange: (state: ProcessStep['state']) => void
  onRename: (title: string) => void
  /** Renaming ended by a key, so the step gets the focus back. */
  onRenameEnd: () => void
  onRemove: () => void
}

function ChangeableStep({ step, handle, onStateChange, onRename, onRenameEnd, onRemove }: ChangeableStepProps) {
  const [draftTitle, setDraftTitle] = useState<string>()
  const { title, state } = step

  function finishRenaming({ isConfirmed }: { isConfirmed: boolean }) {
    if (draftTitle === undefined) return
    setDraftTitle(undefined)
    if (isConfirmed && draftTitle.trim() !== title) onRename(draftTitle)
  }
  function handleKeyDown(event: KeyboardEvent) {
    if (event.key === 'F2') setDraftTitle(title)
    else if (event.key === 'Delete' || event.key === 'Backspace') onRemove()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  if (draftTitle !== undefined) {
    return (
      <input
        dir="auto"
        // biome-ignore lint/a11y/noAutofocus: it replaces the button that was pressed
        autoFocus
        aria-label={`Step name: ${title}`}
        value={draftTitle}
        maxLength={maxTitleLength}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setDraftTitle(event.currentTarget.value)}
        onBlur={() => finishRenaming({ isConfirmed: true })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return
          event.stopPropagation()
          finishRenaming({ isConfirmed: event.key === 'Enter' })
          onRenameEnd()
        }}
        className="ms-[30px] min-w-0 grow rounded-sm border border-input bg-card px-1.5 text-body leading-[1.5rem] outline-none focus-visible:border-ring focus-visible:shadow-halo"
      />
    )
  }
  return (
    <>
      <button
        type="button"
        data-step={step.id}
        title={`Now ${stepStateLabels[state]}. Click to set to “${stepStateLabels[getNextState(state)]}”.`}
        aria-keyshortcuts="F2 Delete Alt+ArrowUp Alt+ArrowDown"
        onClick={() => onStateChange(getNextState(state))}
        onKeyDown={handleKeyDown}
        className="flex min-w-0 grow items-center gap-2.5 rounded-sm px-1.5 py-1 text-start hover:bg-fill-hover focus-visible:-outline-offset-2"
      >
        <StepStateIcon state={state} />
        <StepTitle step={step} />
        <span className="sr-only">, {stepStateLabels[state]}</span>
      </button>
      <span className="flex opacity-0 group-focus-within/step:opacity-100 group-hover/step:opacity-100 pointer-coarse:opacity-100">
        <span
          {...handle}
          aria-hidden
          title="Drag, or press Alt with an arrow key"
          className="grid size-6 cursor-grab place-items-center text-muted-foreground pointer-coarse:hidden"
        >
          <GripVertical size={13} />
        </span>
        <IconButton
          label={`Rename the step ${title}`}
          size="small"
          onClick={() => setDraftTitle(title)}
          className="size-6"
        >
          <Pencil aria-hidden size={13} />
        </IconButton>
        <IconButton label={`Delete the step ${title}`} size="small" onClick={onRemove} className="size-6">
          <Trash2 aria-hidden size={13} />
        </IconButton>
      </span>
    </>
  )
}

function StepStateIcon({ state }: { state: ProcessStep['state'] }) {
  if (state === 'done') return <Check aria-hidden size={15} strokeWidth={2.2} className="shrink-0 text-success" />
  if (state === 'skipped') return <Minus aria-hidden size={15} className="shrink-0 text-muted-foreground" />
  return (
    <span
      aria-hidden
      className={classNames(
        'mx-px size-[13px] shrink-0 rounded-full border-[1.5px]',
        state === 'active' ? 'border-ribbon bg-ribbon-soft' : 'border-input',
      )}
    />
  )
}

function StepTitle({ step: { title, state } }: { step: ProcessStep }) {
  return (
    <span
      dir="auto"
      className={classNames(
        'min-w-0 text-body leading-[1.375rem] wrap-anywhere',
        state === 'active' && 'font-semibold',
        (state === 'todo' || state === 'skipped') && 'text-muted-foreground',
        state === 'skipped' && 'line-through',
      )}
    >
      {title}
    </span>
  )
}

interface AddStepProps {
  frameKey: string
  isFull: boolean
  /** Returns the lines that didn't fit. */
  onAdd: (text: string) => string
}

function AddStep({ frameKey, isFull, onAdd }: AddStepProps) {
  const draft = useDraft(`frame/${frameKey}/step`, '')
  const draftText = draft.value
  if (isFull && draftText === '') return null
  const setDraft = (text: string) => (text === '' ? draft.clear() : draft.set(text))
  function handleKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    if (draftText.trim() !== '') setDraft(onAdd(draftText))
  }
  function paste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text/plain')
    if (!text.trim().includes('\n')) return
    event.preventDefault()
    setDraft([draftText, onAdd(text)].filter((part) => part !== '').join('\n'))
  }
  return (
    <div className="flex items-start gap-2.5 px-1.5 py-1 text-muted-foreground">
      <Plus aria-hidden size={15} className="mt-1.5 shrink-0" />
      <div className="min-w-0 grow">
        <textarea
          dir="auto"
          rows={1}
          aria-label="Add a step"
          placeholder="Add a step"
          value={draftText}
          enterKeyHint="done"
          onChange={({ currentTarget: { value } }) => setDraft(value)}
          onKeyDown={handleKeyDown}
          onPaste={paste}
          className="block field-sizing-content max-h-28 w-full resize-none rounded-sm bg-transparent py-0.5 text-body leading-[1.375rem] text-foreground outline-none placeholder:text-muted-foreground focus-visible:shadow-halo phone:text-lead"
        />
        {isFull && (
          <p role="status" className="text-small">
            A frame can have up to {maxSteps} steps. The remaining lines stay here.
          </p>
        )}
      </div>
    </div>
  )
}
