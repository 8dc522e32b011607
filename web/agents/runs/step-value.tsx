import type { ReactNode } from 'react'
import type { RunSpan } from '#contract/agents/runs.ts'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { CodeBlock } from '#web/ui/text/code-block.tsx'
import { CallArguments } from './call-arguments.tsx'
import { CollapsibleText } from './collapsible-text.tsx'

export interface StepValueProps {
  label: string
  value: unknown
  kind: RunSpan['kind']
  emptyText: string
}

/** Readable form; the Raw tab shows the data unchanged. */
export function StepValue({ label, value, kind, emptyText }: StepValueProps) {
  if (value === null || value === undefined || value === '')
    return <p className="text-ui text-muted-foreground">{emptyText}</p>
  if (typeof value === 'string') return <TextValue label={label} text={value} />
  const modelRequest = kind === 'model' ? parseModelRequest(value) : undefined
  if (modelRequest) return <ModelRequestView {...modelRequest} />
  if (kind === 'tool' && label === 'Input')
    return (
      <div className="text-ui">
        <CallArguments value={value} />
      </div>
    )
  const text = findText(value)
  return text === undefined ? (
    <CodeBlock label={label} value={value} shouldWrap />
  ) : (
    <TextValue label={label} text={text} />
  )
}

function TextValue({ label, text }: { label: string; text: string }) {
  return (
    <div className="relative rounded-md border border-border bg-muted py-2.5 ps-3.5 pe-11">
      <CollapsibleText text={text} className="text-ui" />
      <div className="absolute end-1.5 top-1.5" data-chrome>
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
    </div>
  )
}

interface ModelRequest {
  system: string | undefined
  messages: { role: string; content: unknown }[]
  otherFields: Record<string, unknown>
}

function parseModelRequest(value: unknown): ModelRequest | undefined {
  if (typeof value !== 'object' || value === null) return
  const { system, messages, ...otherFields } = value as Record<string, unknown>
  if (!Array.isArray(messages) || !messages.every((candidate) => typeof candidate === 'object' && candidate !== null))
    return
  return { system: typeof system === 'string' ? system : undefined, messages, otherFields }
}

const roleNames: Record<string, string> = { user: 'Asked', assistant: 'Answered', tool: 'Tool' }

function ModelRequestView({ system, messages, otherFields }: ModelRequest) {
  return (
    <dl className="flex flex-col gap-2.5">
      {system && (
        <StepValuePart name="System">
          <TextValue label="System" text={system} />
        </StepValuePart>
      )}
      {messages.map(({ role, content, ...otherParts }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no id and never move
        <StepValuePart key={index} name={roleNames[role] ?? role ?? 'Message'}>
          {typeof content === 'string' && content !== '' ? (
            <TextValue label={`message ${index + 1}`} text={content} />
          ) : (
            <CodeBlock label={`Message ${index + 1}`} value={content || otherParts} shouldWrap />
          )}
        </StepValuePart>
      ))}
      {Object.entries(otherFields).map(([name, value]) => (
        <StepValuePart key={name} name={name}>
          <CodeBlock label={name} value={value} shouldWrap />
        </StepValuePart>
      ))}
    </dl>
  )
}

function StepValuePart({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="mb-1 text-small text-muted-foreground first-letter:uppercase">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function findText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return
  const { type, text, ...otherFields } = value as Record<string, unknown>
  return type === 'text' && typeof text === 'string' && Object.keys(otherFields).length === 0 ? text : undefined
}
