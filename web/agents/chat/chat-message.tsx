import { Check, RotateCw } from 'lucide-react'
import { memo } from 'react'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { AgentText } from '../agent-text.tsx'
import { wholeTime } from '../runs/log-times.ts'
import { apology, type ChatEntry } from './chat-reducer.ts'

export interface ChatMessageProps {
  entry: ChatEntry
  agentName: string
  /** Only under the last answer, when it failed. */
  onTryAgain?: () => void
  reconnecting: boolean
}

const quiet =
  'transition-opacity duration-120 hover-hover:opacity-0 hover-hover:group-hover:opacity-100 hover-hover:group-focus-within:opacity-100'

export const ChatMessage = memo(function ChatMessage(props: ChatMessageProps) {
  return props.entry.sender === 'user' ? <Question {...props} /> : <Answer {...props} />
})

function Question({ entry }: ChatMessageProps) {
  return (
    <li title={wholeTime(entry.createdAt)} className="group flex items-center justify-end gap-1.5">
      <span className="sr-only">You:</span>
      {entry.status === 'unsent' && <span className="text-small text-muted-foreground">Not sent</span>}
      <CopyButton text={entry.content} label="Copy message" className={quiet} />
      <p className="max-w-[76%] rounded-[14px_14px_3px_14px] bg-secondary px-4 py-2.5 text-[15px] leading-[23px] wrap-anywhere whitespace-pre-wrap text-secondary-foreground phone:max-w-[84%]">
        {entry.content}
      </p>
    </li>
  )
}

function Answer({ entry, agentName, onTryAgain, reconnecting }: ChatMessageProps) {
  const { content, status, mock } = entry
  const running = status === 'running'
  const failed = status === 'error' || status === 'interrupted' || status === 'unsent'
  return (
    <li
      title={wholeTime(entry.createdAt)}
      aria-busy={running}
      className="group max-w-[660px] font-serif text-[18px] leading-[29px] phone:text-[17px] phone:leading-[26px]"
    >
      <span className="sr-only">{agentName}:</span>
      <Work entry={entry} reconnecting={reconnecting} />
      {content !== '' && <AgentText text={content} streaming={running} />}
      {failed && (
        <p role="alert" className={content === '' ? undefined : 'mt-3'}>
          {apology}
        </p>
      )}
      {!running && (
        <div className="mt-1 flex min-h-7 flex-wrap items-center gap-2 font-sans text-small text-muted-foreground">
          {mock && <Badge tone="warning">Mock answer, no model was asked</Badge>}
          {status === 'stopped' && 'Stopped'}
          {onTryAgain && (
            <Button size="small" onClick={onTryAgain} icon={<RotateCw aria-hidden size={13} />}>
              Try again
            </Button>
          )}
          {content !== '' && <CopyButton text={content} label="Copy message" className={quiet} />}
        </div>
      )}
    </li>
  )
}

function Work({ entry, reconnecting }: { entry: ChatEntry; reconnecting: boolean }) {
  const running = entry.status === 'running'
  if (!running && entry.work.length === 0) return null
  const now = reconnecting ? 'Connection lost, finding it again' : entry.content === '' ? 'Thinking' : 'Writing'
  return (
    <ul className="mb-2 flex flex-wrap gap-x-[18px] gap-y-1 font-sans text-[12.5px] leading-[18px] font-medium text-muted-foreground">
      {entry.work.map((line) => (
        <li key={line} className="flex items-center gap-1.5">
          <Check aria-hidden size={13} strokeWidth={2.4} className="text-success" />
          {line}
        </li>
      ))}
      {running && (
        <li className={classNames('flex items-center gap-1.5', !reconnecting && 'text-foreground')}>
          <span aria-hidden className="size-2 animate-pulse rounded-full bg-ribbon" />
          {now}
        </li>
      )}
    </ul>
  )
}
