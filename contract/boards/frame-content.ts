import * as z from 'zod/mini'
import { oneLine } from '../one-line-text.ts'
import type { FrameType } from './frame-types.ts'

const line = (maxLength: number) =>
  z.string().check(z.maxLength(maxLength, `Use at most ${maxLength.toLocaleString('en-US')} characters.`))
const text = line(20_000)
const shortLine = oneLine({ max: 200 })
const reference = z.nullable(z.string().check(z.maxLength(64)))

export const stepStates = ['todo', 'active', 'done', 'skipped'] as const
export const step = z.object({ id: z.string().check(z.maxLength(64)), title: shortLine, state: z.enum(stepStates) })
export type ProcessStep = z.infer<typeof step>

export const previewedEntities = ['keeper', 'moment', 'journey', 'agent', 'board'] as const
export const configuredEntities = ['board', 'agent', 'keeper-type', 'domain'] as const
export const codeLanguages = [
  'text',
  'javascript',
  'typescript',
  'json',
  'markdown',
  'python',
  'html',
  'css',
  'bash',
  'yaml',
  'sql',
] as const

export const frameContent = {
  media_card: z.object({
    mediaId: reference,
    title: shortLine,
    caption: line(2000),
    alt: line(1000),
    fit: z.enum(['cover', 'contain']),
  }),
  preview: z.object({
    /** `page` shows `html` in a sandbox without scripts. */
    kind: z.enum(['entity', 'page']),
    entity: z.nullable(z.enum(previewedEntities)),
    entityId: reference,
    html: text,
  }),
  code_snippet: z.object({ code: text, language: z.enum(codeLanguages) }),
  dialog: z.object({ agentId: reference, sessionId: reference }),
  process_frame: z.object({ steps: z.array(step).check(z.maxLength(60, 'Use at most 60 steps.')) }),
  config_panel: z.object({ entity: z.enum(configuredEntities), entityId: reference }),
  agent_preview: z.object({
    agentId: reference,
    input: line(4000),
    runId: reference,
  }),
} as const satisfies Partial<Record<FrameType, z.ZodMiniType>>
export type FrameContents = { [Type in keyof typeof frameContent]: z.infer<(typeof frameContent)[Type]> }

export const entityContent = z.object({ entityId: reference })

export function isFrameWithContent(frameType: string): frameType is keyof typeof frameContent {
  return Object.hasOwn(frameContent, frameType)
}

const empty: FrameContents = {
  media_card: { mediaId: null, title: '', caption: '', alt: '', fit: 'cover' },
  preview: { kind: 'entity', entity: null, entityId: null, html: '' },
  code_snippet: { code: '', language: 'text' },
  dialog: { agentId: null, sessionId: null },
  process_frame: { steps: [] },
  config_panel: { entity: 'board', entityId: null },
  agent_preview: { agentId: null, input: '', runId: null },
}

export function emptyContent(frameType: string): Record<string, unknown> {
  return isFrameWithContent(frameType) ? { ...empty[frameType] } : { entityId: null }
}

/** Replaces missing or invalid fields with defaults. For reading only: `frameContent` validates writes. */
export function readContent<Type extends keyof FrameContents>(
  frameType: Type,
  content: Record<string, unknown>,
): FrameContents[Type] {
  const filled = { ...empty[frameType], ...content }
  const read = frameContent[frameType].safeParse(filled)
  return (read.success ? read.data : empty[frameType]) as FrameContents[Type]
}
