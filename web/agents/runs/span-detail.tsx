import { type ReactNode, useState } from 'react'
import type { MemoryItem, RunDetail, RunSpan } from '#contract/agents/runs.ts'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { CodeBlock } from '#web/ui/text/code-block.tsx'
import { Reasoning } from '../chat/tool-lines.tsx'
import { AudioOutput, findRecording } from './audio-output.tsx'
import { CollapsibleText } from './collapsible-text.tsx'
import { parseOutput } from './log-texts.ts'
import { formatRunCost, hiddenText } from './run-texts.ts'
import { CallArguments } from './tool-call-card.tsx'
import { isOwnRun } from './use-live-run.ts'

type TabId = 'input' | 'output' | 'memory' | 'raw'

export interface SpanDetailProps {
  span: RunSpan
  run: RunDetail
  spans: RunSpan[]
}

export function SpanDetail({ span, run, spans }: SpanDetailProps) {
  const [tab, setTab] = useState<TabId>('output')
  const { reasoning } = span as RunSpan & { reasoning?: string | null }
  const memory = collectMemory(span, spans)
  const output = getSpanOutput(span, run)
  const audio = findRecording(span.parent_id === null && run.output !== null ? parseOutput(run.output) : output)
  const label = span.kind === 'model' ? (span.model ?? run.model) : span.kind
  const hiddenStepText = isOwnRun(run) ? undefined : hiddenText
  const runningText = span.ended_ms === null ? 'This step is still running.' : undefined
  return (
    <section aria-label={span.name} className="border-t border-border px-[18px] pt-3.5 pb-4">
      <div className="mb-2.5 flex flex-wrap items-center gap-2">
        <h3 className="font-sans text-ui leading-5 font-semibold tracking-normal">{span.name}</h3>
        <Badge tone="outlined" mono={span.kind === 'model'}>
          {label}
        </Badge>
        {span.failure && <Badge tone={span.failure === 'stopped' ? 'neutral' : 'destructive'}>{span.failure}</Badge>}
        {span.usage && (
          <span className="ms-auto text-small text-muted-foreground tabular-nums">
            in {span.usage.input_tokens.toLocaleString('en-US')}, out {span.usage.output_tokens.toLocaleString('en-US')}
            {span.usage.estimated && ' (estimated)'}
            {span.usage.cost_usd !== null && span.usage.cost_usd > 0 && `, ${formatRunCost(span.usage.cost_usd)}`}
          </span>
        )}
      </div>
      <Tabs
        label={`Step ${span.name}`}
        tabs={[
          { id: 'input', label: 'Input' },
          { id: 'output', label: 'Output' },
          { id: 'memory', label: 'Memory used', count: memory.length || undefined },
          { id: 'raw', label: 'Raw' },
        ]}
        value={tab}
        onValueChange={setTab}
      >
        {tab === 'input' && (
          <StepValue
            label="Input"
            kind={span.kind}
            value={getSpanInput(span, run)}
            emptyText={hiddenStepText ?? 'This step had no input.'}
          />
        )}
        {tab === 'output' && reasoning && <Reasoning text={reasoning} />}
        {tab === 'output' && audio && <AudioOutput audio={audio} />}
        {tab === 'output' && (
          <StepValue
            label="Output"
            kind={span.kind}
            value={output}
            emptyText={hiddenStepText ?? runningText ?? 'This step had no output.'}
          />
        )}
        {tab === 'memory' && <SpanMemory items={memory} emptyText={hiddenStepText ?? 'This step used no memory.'} />}
        {tab === 'raw' && <CodeBlock label="Raw step" value={span} />}
      </Tabs>
    </section>
  )
}

/** The root span may omit the run's own input and output. */
function getSpanInput(span: RunSpan, run: RunDetail): unknown {
  return isEmptyValue(span.input) && span.parent_id === null ? run.input : span.input
}
function getSpanOutput(span: RunSpan, run: RunDetail): unknown {
  if (!isEmptyValue(span.output) || span.parent_id !== null) return span.output
  return run.output === null ? null : parseOutput(run.output)
}

function collectMemory(span: RunSpan, spans: RunSpan[]): MemoryItem[] {
  const descendantIds = new Set([span.id])
  for (const candidate of spans)
    if (candidate.parent_id && descendantIds.has(candidate.parent_id)) descendantIds.add(candidate.id)
  const items = spans.filter((candidate) => descendantIds.has(candidate.id)).flatMap((candidate) => candidate.memory)
  return [...new Map(items.map((item) => [`${item.entity} ${item.id}`, item])).values()]
}

function SpanMemory({ items, emptyText }: { items: MemoryItem[]; emptyText: string }) {
  if (items.length === 0) return <p className="text-ui text-muted-foreground">{emptyText}</p>
  return (
    <ul className="flex flex-col gap-3">
      {items.map((item) => (
        <li key={`${item.entity} ${item.id}`} className="border-s-2 border-chart4 ps-3">
          <h4 className="flex flex-wrap items-center gap-2 font-serif text-[1rem] leading-6 font-medium">
            {item.title}
            <Badge tone="outlined">{item.entity}</Badge>
          </h4>
          <CollapsibleText text={item.text} className="text-ui text-muted-foreground" />
        </li>
      ))}
    </ul>
  )
}

const isEmptyValue = (value: unknown) => value === null || value === undefined || value === ''

export interface StepValueProps {
  label: string
  value: unknown
  kind: RunSpan['kind']
  emptyText: string
}

/** Readable form; the Raw tab shows the data unchanged. */
export function StepValue({ label, value, kind, emptyText }: StepValueProps) {
  if (isEmptyValue(value)) return <p className="text-ui text-muted-foreground">{emptyText}</p>
  const isAnswer = label === 'Output' && kind !== 'tool'
  if (typeof value === 'string') return <TextValue label={label} text={value} isAnswer={isAnswer} />
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
    <CodeBlock label={label} value={value} />
  ) : (
    <TextValue label={label} text={text} isAnswer={isAnswer} />
  )
}

function TextValue({ label, text, isAnswer = false }: { label: string; text: string; isAnswer?: boolean }) {
  return (
    <div className="relative rounded-md border border-border bg-muted py-2.5 ps-3.5 pe-[2.75rem]">
      <CollapsibleText text={text} isAnswer={isAnswer} className={isAnswer ? 'font-serif text-read' : 'text-ui'} />
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
            <CodeBlock label={`Message ${index + 1}`} value={content || otherParts} />
          )}
        </StepValuePart>
      ))}
      {Object.entries(otherFields).map(([name, value]) => (
        <StepValuePart key={name} name={name}>
          <CodeBlock label={name} value={value} />
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
