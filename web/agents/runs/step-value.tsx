import type { ReactNode } from 'react'
import type { RunSpan } from '#contract/agents/runs.ts'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { CallArguments } from './call-arguments.tsx'
import { FoldedText } from './folded-text.tsx'

export interface StepValueProps {
  label: string
  value: unknown
  kind: RunSpan['kind']
  none: string
}

/** Readable form; the Raw tab shows the data unchanged. */
export function StepValue({ label, value, kind, none }: StepValueProps) {
  if (value === null || value === undefined || value === '')
    return <p className="text-ui text-muted-foreground">{none}</p>
  if (typeof value === 'string') return <Said label={label} text={value} />
  const asked = kind === 'model' ? askedIn(value) : undefined
  if (asked) return <Asked {...asked} />
  if (kind === 'tool' && label === 'Input')
    return (
      <div className="text-ui">
        <CallArguments value={value} />
      </div>
    )
  const text = textIn(value)
  return text === undefined ? <CodeBlock label={label} value={value} wraps /> : <Said label={label} text={text} />
}

function Said({ label, text }: { label: string; text: string }) {
  return (
    <div className="relative rounded-md border border-border bg-muted py-2.5 ps-3.5 pe-11">
      <FoldedText text={text} className="text-ui" />
      <div className="absolute end-1.5 top-1.5" data-chrome>
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
    </div>
  )
}

interface AskedIn {
  system: string | undefined
  messages: { role: string; content: unknown }[]
  others: Record<string, unknown>
}

function askedIn(value: unknown): AskedIn | undefined {
  if (typeof value !== 'object' || value === null) return
  const { system, messages, ...others } = value as Record<string, unknown>
  if (!Array.isArray(messages) || !messages.every((each) => typeof each === 'object' && each !== null)) return
  return { system: typeof system === 'string' ? system : undefined, messages, others }
}

const roleNames: Record<string, string> = { user: 'Asked', assistant: 'Answered', tool: 'Tool' }

function Asked({ system, messages, others }: AskedIn) {
  return (
    <dl className="flex flex-col gap-2.5">
      {system && (
        <Part name="System">
          <Said label="System" text={system} />
        </Part>
      )}
      {messages.map(({ role, content, ...rest }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no id and never change places
        <Part key={index} name={roleNames[role] ?? role ?? 'Message'}>
          {typeof content === 'string' && content !== '' ? (
            <Said label={`message ${index + 1}`} text={content} />
          ) : (
            <CodeBlock label={`Message ${index + 1}`} value={content || rest} wraps />
          )}
        </Part>
      ))}
      {Object.entries(others).map(([name, value]) => (
        <Part key={name} name={name}>
          <CodeBlock label={name} value={value} wraps />
        </Part>
      ))}
    </dl>
  )
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="mb-1 text-small text-muted-foreground first-letter:uppercase">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The text of a text-only answer. */
function textIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return
  const { type, text, ...others } = value as Record<string, unknown>
  return type === 'text' && typeof text === 'string' && Object.keys(others).length === 0 ? text : undefined
}
