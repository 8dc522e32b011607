import { hash } from 'node:crypto'
import type { RunSpan, SpanKind, Usage } from '#contract/agents/runs.ts'
import { truncate } from '#contract/truncate.ts'

type AttributeValue = string | number | boolean

export interface OtlpAttribute {
  key: string
  value: { stringValue: string } | { intValue: string } | { doubleValue: number } | { boolValue: boolean }
}

export interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: OtlpAttribute[]
  status: { code?: number; message?: string }
}

export interface ExportedRun {
  id: string
  sessionId: string | null
  /** Epoch milliseconds. */
  startedAt: number
  elapsedMs: number
  isStreamed: boolean
  steps: readonly RunSpan[]
}

const internalKind = 1
const clientKind = 3
const errorStatus = 2
const maxAttributeLength = 200
/** 16 bytes in hex, not all zero. */
const validTraceId = /^(?!0+$)[0-9a-f]{32}$/

/** Names of the GenAI semantic conventions 0.1.0 (2026-06), which are still in development. */
const operations: Record<Exclude<SpanKind, 'wait'>, string> = {
  agent: 'invoke_agent',
  coordinator: 'invoke_agent',
  model: 'chat',
  tool: 'execute_tool',
  memory: 'search_memory',
}
const providerNames: Record<string, string> = {
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  xai: 'x_ai',
  azure: 'azure.ai.openai',
}

/** The steps of a run as one trace, without inputs, outputs, reasoning or memory: only names, times, totals and codes. */
export function toOtlpSpans(run: ExportedRun): OtlpSpan[] {
  const traceId = validTraceId.test(run.id) ? run.id : hash('sha256', run.id, 'hex').slice(0, 32)
  return run.steps.map((step) => ({
    traceId,
    spanId: toSpanId(step.id),
    ...(step.parent_id !== null && { parentSpanId: toSpanId(step.parent_id) }),
    name: getSpanName(step),
    kind: step.kind === 'model' ? clientKind : internalKind,
    startTimeUnixNano: toNanoseconds(run.startedAt + step.started_ms),
    endTimeUnixNano: toNanoseconds(run.startedAt + (step.ended_ms ?? run.elapsedMs)),
    attributes: toAttributes(getAttributes(run, step)),
    status: step.failure === null ? {} : { code: errorStatus, message: truncate(step.failure, maxAttributeLength) },
  }))
}

function getSpanName({ kind, name, model }: RunSpan): string {
  const subject = truncate(kind === 'model' ? (model ?? name) : name, maxAttributeLength)
  return kind === 'wait' ? subject : `${operations[kind]} ${subject}`
}

function getAttributes(run: ExportedRun, step: RunSpan): Record<string, AttributeValue | null | undefined> {
  const { kind, name, failure, usage } = step
  const isRoot = step.parent_id === null
  return {
    'gen_ai.operation.name': kind === 'wait' ? null : operations[kind],
    ...((kind === 'agent' || kind === 'coordinator') && { 'gen_ai.agent.name': name }),
    ...(kind === 'model' && {
      'gen_ai.provider.name': step.provider && (providerNames[step.provider] ?? step.provider),
      'gen_ai.request.model': step.model ?? name,
      'gen_ai.request.stream': run.isStreamed,
    }),
    ...(kind === 'tool' && {
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': step.id,
      'gen_ai.tool.type': 'function',
    }),
    ...(kind === 'memory' && { 'keeper.memory.items': step.memory.length }),
    ...(isRoot && { 'gen_ai.conversation.id': run.sessionId, 'keeper.run.id': run.id }),
    ...(usage && getUsageAttributes(usage)),
    'error.type': failure,
  }
}

function getUsageAttributes(usage: Usage): Record<string, AttributeValue | null | undefined> {
  return {
    'gen_ai.usage.input_tokens': usage.input_tokens,
    'gen_ai.usage.output_tokens': usage.output_tokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cached_tokens,
    'gen_ai.usage.cache_creation.input_tokens': usage.cache_write_tokens,
    'keeper.usage.cost_usd': usage.cost_usd,
    'keeper.usage.estimated': usage.estimated || null,
  }
}

const doubleKeys = new Set(['keeper.usage.cost_usd'])

export function toAttributes(values: Record<string, AttributeValue | null | undefined>): OtlpAttribute[] {
  return Object.entries(values).flatMap(([key, value]): OtlpAttribute[] => {
    if (value === null || value === undefined) return []
    if (typeof value === 'boolean') return [{ key, value: { boolValue: value } }]
    if (typeof value === 'string') return [{ key, value: { stringValue: truncate(value, maxAttributeLength) } }]
    return [{ key, value: doubleKeys.has(key) ? { doubleValue: value } : { intValue: String(Math.round(value)) } }]
  })
}

function toSpanId(id: string): string {
  return hash('sha256', id, 'hex').slice(0, 16)
}

function toNanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds)}000000`
}
