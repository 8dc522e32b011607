import { useMutation } from '@tanstack/react-query'
import { Check, ChevronDown, Hand, Minus, X } from 'lucide-react'
import { useId, useState } from 'react'
import { runs } from '#contract/agents/runs.ts'
import type { ToolCall } from '#contract/agents/tools.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { ErrorText } from '#web/ui/panels/error-text.tsx'
import { CodeBlock } from '#web/ui/text/code-block.tsx'
import { CollapsibleText } from './collapsible-text.tsx'
import { getReasonText } from './reason-text.ts'

export interface ToolCallCardProps {
  tool: ToolCall
  runId: string | undefined
  /** The agent that was run; calls of other agents show their slug. */
  agentSlug?: string | undefined
}

export function ToolCallCard({ tool, runId, agentSlug }: ToolCallCardProps) {
  const [open, setOpen] = useState(false)
  const detailsId = useId()
  const isAwaitingApproval = tool.state === 'asks'
  const isExpanded = isAwaitingApproval || open
  return (
    <div
      data-tool-state={tool.state}
      className={classNames(
        'min-w-0 text-small',
        isAwaitingApproval ? 'rounded-md border border-input bg-card px-3 py-2.5 shadow-e1' : 'py-0.5',
      )}
    >
      <div className="flex min-w-0 items-start gap-2">
        <ToolMark state={tool.state} />
        <p className="min-w-0 flex-1 wrap-anywhere">
          <span className={isAwaitingApproval ? 'font-semibold' : undefined}>{tool.title || tool.name}</span>
          {agentSlug && tool.agent_slug !== agentSlug && (
            <span className="text-muted-foreground">
              , by <span className="font-mono text-[0.71875rem]">{tool.agent_slug}</span>
            </span>
          )}
          {tool.result && (
            <span className={tool.state === 'failed' ? 'text-destructive' : 'text-muted-foreground'}>
              {': '}
              {tool.result}
            </span>
          )}
        </p>
        {!isAwaitingApproval && (
          <button
            type="button"
            aria-expanded={open}
            aria-controls={detailsId}
            aria-label={`Details of ${tool.title || tool.name}`}
            onClick={() => setOpen(!open)}
            className="-my-1 grid size-6 shrink-0 place-items-center rounded-xs text-muted-foreground hover:bg-fill"
          >
            <ChevronDown aria-hidden size={13} className={open ? 'rotate-180' : undefined} />
          </button>
        )}
      </div>
      <div id={detailsId} hidden={!isExpanded} className="mt-1.5 ps-6">
        {isExpanded && (
          <>
            {isAwaitingApproval && <ApprovalNote tool={tool} />}
            {!(isAwaitingApproval && tool.server) && (
              <p className="mb-1 font-mono text-[0.71875rem] text-muted-foreground">{tool.name}</p>
            )}
            <CallArguments value={tool.arguments} />
          </>
        )}
      </div>
      {isAwaitingApproval && runId && <ApprovalButtons key={tool.id} runId={runId} tool={tool} />}
    </div>
  )
}

function ApprovalNote({ tool: { asks_because: reason, server } }: { tool: ToolCall }) {
  if (!reason || (reason === 'writes' && !server)) return null
  return (
    <p className="mb-2 text-foreground">
      {reason === 'sends'
        ? 'The agent has read something from your keepers, and this tool can send text out of Keeper.'
        : 'This tool can change something outside Keeper.'}
      {server && (
        <>
          {' If you allow the call, exactly this is sent to the tool '}
          <span className="font-semibold wrap-anywhere">{server.tool}</span> on the server{' '}
          <span dir="auto" className="font-semibold wrap-anywhere">
            {server.name}
          </span>{' '}
          at <span className="font-mono text-[0.75rem] wrap-anywhere">{server.host}</span>:
        </>
      )}
    </p>
  )
}

function ApprovalButtons({ runId, tool }: { runId: string; tool: ToolCall }) {
  const { mutate, variables, isError, error } = useMutation({
    mutationFn: (allow: boolean) => call(runs.decide, { params: { runId, callId: tool.id }, body: { allow } }),
  })
  // Stays busy until the run reports the decision.
  const decision = isError ? undefined : variables

  return (
    <fieldset aria-label={tool.title || tool.name} className="mt-2.5 flex flex-wrap items-center gap-2 ps-6">
      <Button
        size="small"
        variant="primary"
        busy={decision === true}
        disabled={decision === false}
        onClick={() => mutate(true)}
      >
        Allow
      </Button>
      <Button size="small" busy={decision === false} disabled={decision === true} onClick={() => mutate(false)}>
        Don’t allow
      </Button>
      <span role="status" className="sr-only">
        The agent needs your approval: {tool.title || tool.name}
      </span>
      <ErrorText className="basis-full text-small!">{error && getReasonText(error)}</ErrorText>
    </fieldset>
  )
}

function ToolMark({ state }: { state: ToolCall['state'] }) {
  if (state === 'running') {
    return (
      <span className="grid size-4 shrink-0 place-items-center">
        <span aria-hidden className="size-2 animate-pulse rounded-full bg-ribbon" />
        <span className="sr-only">running, </span>
      </span>
    )
  }
  const { Icon, classes: markClasses, label } = toolMarks[state]
  return (
    <span className={`grid size-4 shrink-0 place-items-center ${markClasses}`}>
      <Icon aria-hidden size={14} />
      <span className="sr-only">{label}, </span>
    </span>
  )
}

// Single joiners and emoji selectors are ordinary; runs of them can hide a message.
const invisiblePattern = /[\p{Cc}\p{Cf}\p{Variation_Selector}\u3164\u115F\u1160\uFFA0]+/gu
const ordinaryPattern = /^(?:[\n\t]|\r\n|\uFE0F?[\u200C\u200D]?|\u00AD)*$/u
const maxOrdinaryLength = 2
const isOrdinary = (characters: string) =>
  ordinaryPattern.test(characters) && characters.replace(/[\r\n\t]/g, '').length <= maxOrdinaryLength

/** Writes out invisible characters, such as `[U+E0041]`, so that all text to be sent is visible. */
export function showInvisible(text: string): string {
  return text.replace(invisiblePattern, (characters) => {
    if (isOrdinary(characters)) return characters
    return Array.from(characters, (character) =>
      /[\n\t]/.test(character) ? character : formatCodePoint(character),
    ).join('')
  })
}

function formatCodePoint(character: string): string {
  return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`
}

export function showInvisibleDeep(value: unknown): unknown {
  if (typeof value === 'string') return showInvisible(value)
  if (Array.isArray(value)) return value.map(showInvisibleDeep)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, nested]) => [showInvisible(name), showInvisibleDeep(nested)]),
  )
}

export function CallArguments({ value: rawValue }: { value: unknown }) {
  if (rawValue === null || rawValue === undefined) return null
  const value = showInvisibleDeep(rawValue)
  const entries = typeof value === 'object' && value && !Array.isArray(value) ? Object.entries(value) : undefined
  if (!entries) return <CodeBlock label="Arguments" value={value} />
  if (entries.length === 0) return <p className="text-muted-foreground">Called without arguments.</p>
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1">
      {entries.map(([name, argument]) => (
        <div key={name} className="contents">
          <dt className="font-mono text-[0.75rem] leading-[1.125rem] text-muted-foreground">{name}</dt>
          <dd className="min-w-0">
            {typeof argument === 'object' && argument !== null ? (
              <CodeBlock label={name} value={argument} copyable={false} />
            ) : (
              <CollapsibleText text={String(argument)} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

export const toolMarks = {
  asks: { Icon: Hand, classes: 'text-warning', label: 'needs approval' },
  done: { Icon: Check, classes: 'text-success', label: 'done' },
  failed: { Icon: X, classes: 'text-destructive', label: 'failed' },
  refused: { Icon: Minus, classes: 'text-muted-foreground', label: 'not allowed' },
} as const
