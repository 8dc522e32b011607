import * as z from 'zod/mini'
import { oneLine } from '../one-line-text.ts'
import type { Frame, FrameData, NewFrame } from './boards.ts'
import { type FrameType, frameTypes } from './frame-types.ts'

const limitedText = (maxLength: number) =>
  z.string().check(z.maxLength(maxLength, `Use at most ${maxLength.toLocaleString('en-US')} characters.`))
const longText = limitedText(20_000)
const shortLine = oneLine({ max: 200 })
const optionalReference = z.nullable(z.string().check(z.maxLength(64)))

export const stepStates = ['todo', 'active', 'done', 'skipped'] as const
export const processStep = z.object({
  id: z.string().check(z.maxLength(64)),
  title: shortLine,
  state: z.enum(stepStates),
})
export type ProcessStep = z.infer<typeof processStep>

export const previewedEntities = ['keeper', 'moment', 'journey', 'agent', 'board'] as const
export const configurableEntities = ['board', 'agent', 'keeper-type', 'domain'] as const
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
    mediaId: optionalReference,
    title: shortLine,
    caption: limitedText(2000),
    alt: limitedText(1000),
    fit: z.enum(['cover', 'contain']),
  }),
  preview: z.object({
    /** `page` shows `html` in a sandbox without scripts. */
    kind: z.enum(['entity', 'page']),
    entity: z.nullable(z.enum(previewedEntities)),
    entityId: optionalReference,
    html: longText,
  }),
  code_snippet: z.object({ code: longText, language: z.enum(codeLanguages) }),
  dialog: z.object({ agentId: optionalReference, sessionId: optionalReference }),
  process_frame: z.object({ steps: z.array(processStep).check(z.maxLength(60, 'Use at most 60 steps.')) }),
  config_panel: z.object({ entity: z.enum(configurableEntities), entityId: optionalReference }),
  agent_preview: z.object({
    agentId: optionalReference,
    input: limitedText(4000),
    runId: optionalReference,
  }),
} as const satisfies Partial<Record<FrameType, z.ZodMiniType>>
export type FrameContents = { [Type in keyof typeof frameContent]: z.infer<(typeof frameContent)[Type]> }

export const entityContent = z.object({ entityId: optionalReference })

export function isFrameWithContent(frameType: string): frameType is keyof typeof frameContent {
  return Object.hasOwn(frameContent, frameType)
}

const emptyContents: FrameContents = {
  media_card: { mediaId: null, title: '', caption: '', alt: '', fit: 'cover' },
  preview: { kind: 'entity', entity: null, entityId: null, html: '' },
  code_snippet: { code: '', language: 'text' },
  dialog: { agentId: null, sessionId: null },
  process_frame: { steps: [] },
  config_panel: { entity: 'board', entityId: null },
  agent_preview: { agentId: null, input: '', runId: null },
}

export function createEmptyContent(frameType: string): Record<string, unknown> {
  return isFrameWithContent(frameType) ? { ...emptyContents[frameType] } : { entityId: null }
}

type FrameFields = Pick<FrameData, 'slug' | 'position'> &
  Partial<Pick<FrameData, 'name' | 'description' | 'size' | 'content'>>

/** The data of a new frame, with the defaults of its type. */
export function createFrameData(frameType: FrameType, fields: FrameFields): FrameData {
  const type = frameTypes[frameType]
  const { name = type.name, description = type.description, size = type.size, slug, position } = fields
  const content = { ...createEmptyContent(frameType), ...fields.content }
  const { category, icon } = type
  return { frameType, name, description, category, icon, slug, position, size: { ...size }, content }
}

/** Adds the derived fields to a frame. */
export function toFrame(frame: NewFrame, createdAt: string, updatedAt = createdAt): Frame {
  const { id, entityType = null, entityId = null, data } = frame
  const { name, description, frameType } = data
  const { engagementMode, theme = null } = frame.FrameConfig
  return {
    id,
    entityType,
    entityId,
    configId: id,
    currentContentId: null,
    createdAt,
    updatedAt,
    data,
    FrameConfig: { id, name, description, theme, createdAt, updatedAt, frameType, engagementMode },
  }
}

/** Replaces missing or invalid fields with defaults. For reading only: `frameContent` validates writes. */
export function readContent<Type extends keyof FrameContents>(
  frameType: Type,
  content: Record<string, unknown>,
): FrameContents[Type] {
  const filled = { ...emptyContents[frameType], ...content }
  const parsed = frameContent[frameType].safeParse(filled)
  return (parsed.success ? parsed.data : emptyContents[frameType]) as FrameContents[Type]
}
