import { Pencil } from 'lucide-react'
import { memo } from 'react'
import { apology } from '#contract/agents/answer-texts.ts'
import { BranchSwitch } from '#web/ui/controls/branch-switch.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { AgentText } from '../agent-text.tsx'
import { AudioOutput } from '../runs/audio-output.tsx'
import { formatFullTime } from '../runs/log-times.ts'
import { ToolCallCard } from '../runs/tool-call-card.tsx'
import { AnswerActions } from './answer-actions.tsx'
import type { ChatActions } from './chat-actions.ts'
import { type ChatEntry, cutOffText } from './chat-entry.ts'
import { FootNotes, getNotes } from './foot-notes.tsx'
import { QuestionEdit } from './question-edit.tsx'
import { quietClasses } from './quiet-classes.ts'
import { Reasoning } from './reasoning.tsx'
import { ToolLines } from './tool-lines.tsx'

export interface ChatMessageProps {
  entry: ChatEntry
  agent: { name: string; slug: string }
  actions: ChatActions
  hasFailed: boolean
  reconnecting: boolean
  editing: string | undefined
  /** Only stored conversations can branch, and not during a reply. */
  branching: 'on' | 'waits' | 'off'
  maxLength: number
  signedIn: boolean
  canEditAgent: boolean
  /** `off`: the browser has no speech synthesis. */
  reading: 'on' | 'silent' | 'off'
}

export const ChatMessage = memo(function ChatMessage(props: ChatMessageProps) {
  return props.entry.sender === 'user' ? <Question {...props} /> : <ChatAnswer {...props} />
})

function Question({ entry, actions, editing, branching, maxLength }: ChatMessageProps) {
  const hasBranches = entry.branches.length > 1
  if (editing !== undefined)
    return (
      <li>
        <QuestionEdit
          text={editing}
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
        <div className={`flex shrink-0 phone:hidden ${quietClasses}`}>
          <QuestionButtons {...{ entry, actions, branching }} />
        </div>
        <p className="max-w-[76%] rounded-[14px_14px_3px_14px] bg-secondary px-4 py-2.5 text-[15px] leading-[23px] wrap-anywhere whitespace-pre-wrap text-secondary-foreground phone:max-w-[92%]">
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
          <QuestionButtons {...{ entry, actions, branching }} />
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
  const { content, status, sources, audio, runId } = entry
  const notePrefix = `note-${entry.key}`
  const running = status === 'running'
  const failed = status === 'error' || status === 'interrupted' || status === 'unsent'
  const pendingApprovals = running ? entry.tools.filter(({ state }) => state === 'asks') : []
  return (
    <li
      title={formatFullTime(entry.createdAt)}
      aria-busy={running}
      className="group max-w-[660px] min-w-0 font-serif text-[18px] leading-[29px] phone:text-[17px] phone:leading-[26px]"
    >
      <span className="sr-only">{agent.name}:</span>
      <ToolLines entry={entry} agentSlug={agent.slug} reconnecting={reconnecting} />
      {entry.reasoning.trim() !== '' && <Reasoning text={entry.reasoning} thinking={running && content === ''} />}
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
