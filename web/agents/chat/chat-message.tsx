import { Pencil, RefreshCw, RotateCw, Sparkles, Square, Volume2 } from 'lucide-react'
import { type KeyboardEvent, memo, useEffect, useRef } from 'react'
import { apology } from '#contract/agents/answer-texts.ts'
import { BranchSwitch } from '#web/ui/controls/branch-switch.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { formatCalendarDay } from '#web/ui/text/format-time.ts'
import { getLengthProblem } from '#web/ui/text/length-problem.ts'
import { AgentText } from '../agent-text.tsx'
import { AudioOutput } from '../runs/audio-output.tsx'
import { formatFullTime } from '../runs/log-texts.ts'
import { ToolCallCard } from '../runs/tool-call-card.tsx'
import { AnswerDetails } from './answer-details.tsx'
import { type ChatEntry, cutOffText } from './chat-entries.ts'
import { FootNotes, getNotes } from './foot-notes.tsx'
import { Reasoning, ToolLines } from './tool-lines.tsx'
import type { ChatActions } from './use-conversation.ts'

const showOnHoverClasses =
  'transition-opacity duration-120 hover-hover:opacity-0 hover-hover:group-hover:opacity-100 hover-hover:group-focus-within:opacity-100 hover-hover:has-aria-expanded:opacity-100'

export interface ChatMessageProps {
  entry: ChatEntry
  agent: { name: string; slug: string }
  actions: ChatActions
  canRetry: boolean
  reconnecting: boolean
  editedText: string | undefined
  /** Only stored conversations can branch, and not during a reply. */
  branching: 'on' | 'waits' | 'off'
  maxLength: number
  signedIn: boolean
  canEditAgent: boolean
  /** `off`: the browser has no speech synthesis. */
  speech: 'on' | 'silent' | 'off'
}

export const ChatMessage = memo(function ChatMessage(props: ChatMessageProps) {
  return props.entry.sender === 'user' ? <Question {...props} /> : <ChatAnswer {...props} />
})

function Question({ entry, actions, editedText, branching, maxLength }: ChatMessageProps) {
  const hasBranches = entry.branches.length > 1
  if (editedText !== undefined)
    return (
      <li>
        <QuestionEdit
          text={editedText}
          onChange={actions.changeEdit}
          onSend={actions.sendEdit}
          onCancel={actions.cancelEdit}
          cannotSend={branching !== 'on'}
          maxLength={maxLength}
        />
      </li>
    )
  return (
    <li title={formatFullTime(entry.createdAt)} className="group flex flex-col items-end gap-0.5">
      <span className="sr-only">You:</span>
      <div className="flex w-full items-center justify-end gap-1.5">
        {entry.status === 'unsent' && <span className="text-small text-muted-foreground">Not sent</span>}
        <div className={`flex shrink-0 phone:hidden ${showOnHoverClasses}`}>
          <QuestionButtons entry={entry} actions={actions} branching={branching} />
        </div>
        <p
          dir="auto"
          className="max-w-[76%] rounded-[14px_14px_3px_14px] bg-secondary px-4 py-2.5 text-[0.9375rem] leading-[1.4375rem] wrap-anywhere whitespace-pre-wrap text-secondary-foreground phone:max-w-[92%]"
        >
          {entry.content}
        </p>
      </div>
      <div className="flex items-center gap-1 desk:empty:hidden">
        {hasBranches && (
          <BranchSwitch
            branches={entry.branches}
            id={entry.id}
            isAnswer={false}
            onShow={actions.showBranch}
            disabled={branching !== 'on'}
          />
        )}
        <div className="hidden phone:flex">
          <QuestionButtons entry={entry} actions={actions} branching={branching} />
        </div>
      </div>
    </li>
  )
}

function QuestionButtons({ entry, actions, branching }: Pick<ChatMessageProps, 'entry' | 'actions' | 'branching'>) {
  return (
    <>
      {branching !== 'off' && entry.id && (
        <IconButton
          label="Edit message"
          size="small"
          disabled={branching === 'waits'}
          onClick={() => actions.startEdit(entry)}
        >
          <Pencil aria-hidden size={13} />
        </IconButton>
      )}
      <CopyButton text={entry.content} label="Copy message" />
    </>
  )
}

function ChatAnswer(props: ChatMessageProps) {
  const { entry, agent, reconnecting } = props
  const { content, status, sources, audio, runId, asOf } = entry
  const notePrefix = `note-${entry.key}`
  const running = status === 'running'
  const failed = status === 'error' || status === 'interrupted' || status === 'unsent'
  const pendingApprovals = running ? entry.tools.filter(({ state }) => state === 'asks') : []
  return (
    <li
      title={formatFullTime(entry.createdAt)}
      aria-busy={running}
      className="group max-w-[660px] min-w-0 font-serif text-[1.125rem] leading-[1.8125rem] phone:text-[1.0625rem] phone:leading-[1.625rem]"
    >
      <span className="sr-only">{agent.name}:</span>
      <ToolLines entry={entry} agentSlug={agent.slug} reconnecting={reconnecting} />
      {entry.reasoning.trim() !== '' && <Reasoning text={entry.reasoning} thinking={running && content === ''} />}
      {asOf && <p className="font-sans text-small text-muted-foreground">As of {formatCalendarDay(asOf)}</p>}
      {audio && <AudioOutput audio={audio} />}
      {content !== '' && (
        <AgentText
          text={content}
          streaming={running && pendingApprovals.length === 0}
          notes={getNotes(sources, notePrefix)}
        />
      )}
      {pendingApprovals.length > 0 && (
        <div className="mt-3 flex max-w-[520px] flex-col gap-2.5 font-sans leading-5">
          {pendingApprovals.map((call) => (
            <ToolCallCard key={call.id} tool={call} runId={runId ?? undefined} agentSlug={agent.slug} />
          ))}
        </div>
      )}
      {failed && (
        <p role="alert" className={content === '' ? undefined : 'mt-3'}>
          {status === 'interrupted' && content !== '' ? cutOffText : apology}
        </p>
      )}
      <FootNotes sources={sources} prefix={notePrefix} />
      {!running && <AnswerActions {...props} />}
    </li>
  )
}

interface QuestionEditProps {
  text: string
  onChange: (text: string) => void
  onSend: () => void
  onCancel: () => void
  cannotSend: boolean
  maxLength: number
}

function QuestionEdit({ text, onChange, onSend, onCancel, cannotSend, maxLength }: QuestionEditProps) {
  const textareaRef = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const textarea = textareaRef.current
    textarea?.focus()
    textarea?.setSelectionRange(textarea.value.length, textarea.value.length)
  }, [])
  const lengthProblem = getLengthProblem(text, maxLength)
  const isSendDisabled = cannotSend || text.trim() === '' || lengthProblem !== undefined

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') onCancel()
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    if (!isSendDisabled) onSend()
  }

  return (
    <div className="ms-auto w-full max-w-[76%] rounded-[14px] border border-input bg-paper p-3 shadow-e1 phone:max-w-full">
      <textarea
        dir="auto"
        ref={textareaRef}
        value={text}
        aria-label="Your question"
        aria-invalid={lengthProblem ? true : undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={handleKeyDown}
        className="block field-sizing-content max-h-64 min-h-12 w-full resize-none bg-transparent px-1 text-[0.9375rem] leading-[1.4375rem] outline-hidden"
      />
      <div className="mt-2 flex flex-wrap items-center justify-end gap-2">
        {lengthProblem && (
          <p role="status" className="me-auto text-small font-medium text-destructive">
            {lengthProblem}
          </p>
        )}
        <Button size="small" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="small" variant="primary" disabled={isSendDisabled} onClick={onSend}>
          Save & resend
        </Button>
      </div>
    </div>
  )
}

function AnswerActions({ entry, actions, canRetry, branching, signedIn, canEditAgent, speech }: ChatMessageProps) {
  const { content, status, id, runId } = entry
  const hasText = content !== ''
  return (
    <div className="mt-1 -ms-1.5 flex min-h-7 flex-wrap items-center gap-1 font-sans text-small text-muted-foreground">
      <BranchSwitch
        branches={entry.branches}
        id={entry.id}
        isAnswer
        onShow={actions.showBranch}
        disabled={branching !== 'on'}
      />
      {entry.mock && (
        <Badge tone="warning" className="ms-1.5">
          Mock answer, no model called
        </Badge>
      )}
      {status === 'stopped' && <span className="mx-1.5">Stopped</span>}
      {canRetry && (
        <Button size="small" onClick={actions.tryAgain} icon={<RotateCw aria-hidden size={13} />} className="mx-1.5">
          Try again
        </Button>
      )}
      {speech === 'on' && (
        <Button
          size="small"
          onClick={() => actions.readAloud(entry)}
          icon={<Square aria-hidden size={11} />}
          className="mx-1.5"
        >
          Stop reading
        </Button>
      )}
      <div className={`flex flex-wrap items-center ${showOnHoverClasses}`}>
        {hasText && <CopyButton text={content} label="Copy message" />}
        {branching !== 'off' && id && !canRetry && (
          <IconButton
            label="Regenerate"
            size="small"
            disabled={branching === 'waits'}
            onClick={() => actions.regenerate(entry)}
          >
            <RefreshCw aria-hidden size={13} />
          </IconButton>
        )}
        {hasText && speech === 'silent' && (
          <IconButton label="Read aloud" size="small" onClick={() => actions.readAloud(entry)}>
            <Volume2 aria-hidden size={14} />
          </IconButton>
        )}
        {hasText && canEditAgent && status === 'success' && (
          <IconButton label="Make this a golden answer" size="small" onClick={() => actions.createGolden(entry)}>
            <Sparkles aria-hidden size={13} />
          </IconButton>
        )}
        {signedIn && runId && <AnswerDetails runId={runId} />}
      </div>
    </div>
  )
}
