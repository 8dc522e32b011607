import { ChevronRight, Hand } from 'lucide-react'
import { useState } from 'react'
import type { ToolCall } from '#contract/agents/tools.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { useNow } from '#web/ui/hooks/use-now.ts'
import { toolMarks } from '../runs/tool-call-card.tsx'
import type { ChatEntry } from './chat-entries.ts'

export interface ToolLinesProps {
  entry: ChatEntry
  agentSlug: string
  reconnecting: boolean
}

export function ToolLines({ entry, agentSlug, reconnecting }: ToolLinesProps) {
  const running = entry.status === 'running'
  const isAwaitingApproval = entry.tools.some(({ state }) => state === 'asks')
  const isWorking = entry.tools.some(({ state }) => state === 'running')
  // Calls awaiting approval have a card below.
  const lines = running ? entry.tools.filter(({ state }) => state !== 'asks') : entry.tools
  // The reasoning section below shows that it thinks.
  const isShownAsReasoning =
    entry.reasoning !== '' && entry.content === '' && !isAwaitingApproval && !isWorking && !reconnecting
  const showsStatus = running && !isShownAsReasoning
  if (!showsStatus && lines.length === 0) return null

  function renderStatus() {
    if (reconnecting) return 'Connection lost, reconnecting'
    if (isAwaitingApproval) return 'Waiting for you'
    if (isWorking) return <ElapsedStatus key="works" label="Working" />
    if (entry.content !== '') return 'Writing'
    return <ElapsedStatus key={`thinks after ${entry.tools.length}`} label="Thinking" />
  }
  return (
    <ul className="mb-2 flex flex-wrap gap-x-[18px] gap-y-1 font-sans text-[0.78125rem] leading-[1.125rem] font-medium text-muted-foreground">
      {lines.map((call) => (
        <ToolLine key={call.id} call={call} running={running} agentSlug={agentSlug} />
      ))}
      {showsStatus && (
        <li className={classNames('flex items-center gap-1.5', !reconnecting && 'text-foreground')}>
          <StatusDot />
          {renderStatus()}
        </li>
      )}
    </ul>
  )
}

function ToolLine({ call, running, agentSlug }: { call: ToolCall; running: boolean; agentSlug: string }) {
  const { state } = call
  // A run that ended mid-call leaves the call open.
  const isOpen = state === 'running' || state === 'asks'
  const mark = isOpen ? undefined : toolMarks[state]
  return (
    <li className="flex min-w-0 items-start gap-1.5 wrap-anywhere">
      {mark ? (
        <mark.Icon aria-hidden size={13} strokeWidth={2.4} className={classNames('mt-[3px] shrink-0', mark.classes)} />
      ) : running && state === 'running' ? (
        <span className="mt-[5px]">
          <StatusDot />
        </span>
      ) : (
        <Hand aria-hidden size={13} className="mt-[3px] shrink-0" />
      )}
      <span className="min-w-0">
        <span className="sr-only">{mark?.label ?? (running ? 'running' : 'not finished')}, </span>
        {call.title || call.name}
        {call.agent_slug !== agentSlug && <span className="font-normal">, by {call.agent_slug}</span>}
        {call.result && (
          <span className={classNames('font-normal', state === 'failed' && 'text-destructive')}>: {call.result}</span>
        )}
      </span>
    </li>
  )
}

function StatusDot() {
  return <span aria-hidden className="block size-2 shrink-0 animate-pulse rounded-full bg-ribbon" />
}

/** Shows seconds after the first one, so that a slow provider isn't mistaken for a frozen page. */
function ElapsedStatus({ label }: { label: string }) {
  const [startedAt] = useState(Date.now)
  const seconds = Math.floor((useNow(true, 1000) - startedAt) / 1000)
  return (
    <span>
      {label}
      {seconds > 0 && (
        <span aria-hidden className="text-muted-foreground tabular-nums">
          , {seconds} s
        </span>
      )}
    </span>
  )
}

const maxPreviewLength = 160

export function Reasoning({ text, thinking = false }: { text: string; thinking?: boolean }) {
  const tail = text.slice(-maxPreviewLength)
  const latestText = text.length > maxPreviewLength ? tail.slice(tail.search(/\s/) + 1) : tail
  return (
    <details className="group/thought mb-2 font-sans text-ui text-muted-foreground">
      <summary className="-ms-1 flex min-h-6 max-w-full cursor-pointer list-none items-center gap-1 rounded-sm select-none [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          size={14}
          className="shrink-0 transition-transform duration-120 group-open/thought:rotate-90 rtl:-scale-x-100"
        />
        <span className={`shrink-0 font-label ${thinking ? 'text-foreground' : ''}`}>
          {thinking ? 'Thinking…' : 'Thought'}
        </span>
        {/* Right-to-left, so that overflow hides the start of the line. */}
        <span aria-hidden dir="rtl" className="ms-1.5 min-w-0 truncate italic group-open/thought:hidden">
          <bdi>{thinking && latestText}</bdi>
        </span>
      </summary>
      <p className="mt-1 max-h-72 overflow-y-auto border-s-2 border-border ps-3 wrap-anywhere whitespace-pre-wrap">
        {text.trim()}
      </p>
    </details>
  )
}
