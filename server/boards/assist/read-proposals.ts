import * as z from 'zod/mini'
import { toSlug } from '#contract/agents/agent-slug.ts'
import { maxProposals } from '#contract/boards/board-assist.ts'
import { type FrameData, findFreeSlug, frameData } from '#contract/boards/boards.ts'
import {
  codeLanguages,
  configurableEntities,
  createEmptyContent,
  createFrameData,
  previewedEntities,
  stepStates,
} from '#contract/boards/frame-content.ts'
import {
  acceptsFrame,
  type EngagementPattern,
  engagementPatterns,
  type FrameType,
  frameTypes,
} from '#contract/boards/frame-types.ts'
import { findFreePositions } from '#contract/boards/free-positions.ts'
import { removeInvisible, toOneLine } from '#server/models/data-in-prompts.ts'
import { parseJson } from '#server/models/json-values.ts'

export interface ProposalContext {
  offeredTypes: readonly FrameType[]
  frames: readonly Pick<FrameData, 'position' | 'size' | 'slug'>[]
  freeFrameCount: number
}
interface ParsedProposal {
  data: FrameData
  pattern: EngagementPattern
  why: string
}
export interface ParsedProposals {
  summary: string
  proposals: ParsedProposal[]
  leftOut: number
}

const maxAnswerLength = 400_000
const maxSummaryLength = 500
const maxNameLength = 120
const maxReasonLength = 300

export function readProposals(answer: string, context: ProposalContext): ParsedProposals | undefined {
  const parsedAnswer = findAnswerObject(answer.slice(0, maxAnswerLength))
  if (!parsedAnswer) return undefined
  const validProposals = parsedAnswer.frames.flatMap((input) => toProposal(input, context.offeredTypes) ?? [])
  const maxCount = Math.max(0, Math.min(maxProposals, context.freeFrameCount))
  const selected = validProposals.slice(0, maxCount)
  const positions = findFreePositions(
    context.frames.map(({ position, size }) => ({ ...position, ...size })),
    selected.map(({ frameType }) => frameTypes[frameType].size),
  )
  const slugs = new Set(context.frames.map(({ slug }) => slug))
  const proposals = selected.flatMap(({ frameType, name, content, ...proposal }, index) => {
    const position = positions[index]
    if (!position) return []
    const slug = findFreeSlug(slugs, toFrameSlug(name))
    const { data } = frameData.safeParse(createFrameData(frameType, { name, content, position, slug }))
    if (!data) return []
    slugs.add(slug)
    return [{ ...proposal, data }]
  })
  return {
    summary: truncateLine(parsedAnswer.summary, maxSummaryLength),
    proposals,
    leftOut: parsedAnswer.frames.length - proposals.length,
  }
}

const answerShape = z.object({ summary: z.catch(z.string(), ''), frames: z.array(z.unknown()) })

function findAnswerObject(answer: string): z.output<typeof answerShape> | undefined {
  const outermost = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)
  for (const text of [answer, ...findFencedTexts(answer), outermost]) {
    const parsed = answerShape.safeParse(parseJson(text))
    if (parsed.success) return parsed.data
  }
  return undefined
}

function findFencedTexts(answer: string): string[] {
  const opening = /```(?:json)?[ \t]*\n/g
  const closing = /\n[ \t]*```/g
  const fenced: string[] = []
  while (opening.exec(answer)) {
    closing.lastIndex = opening.lastIndex
    const end = closing.exec(answer)
    // An unclosed fence means that no later one is closed either.
    if (!end) break
    fenced.push(answer.slice(opening.lastIndex, end.index))
    opening.lastIndex = closing.lastIndex
  }
  return fenced
}

const plainText = z.pipe(z.string(), z.transform(removeInvisible))
const title = z.pipe(plainText, z.string().check(z.maxLength(200)))

const proposableContent: Partial<Record<FrameType, z.ZodMiniType<Record<string, unknown>>>> = {
  media_card: z.object({
    title: z.optional(title),
    caption: z.optional(z.pipe(plainText, z.string().check(z.maxLength(2000)))),
    alt: z.optional(z.pipe(plainText, z.string().check(z.maxLength(1000)))),
  }),
  preview: z.object({ entity: z.optional(z.nullable(z.enum(previewedEntities))) }),
  code_snippet: z.object({
    code: z.optional(z.pipe(plainText, z.string().check(z.maxLength(20_000)))),
    language: z.optional(z.enum(codeLanguages)),
  }),
  process_frame: z.object({
    steps: z.optional(
      z
        .array(
          z.union([
            z.pipe(
              title,
              z.transform((text) => ({ title: text, state: 'todo' as const })),
            ),
            z.object({ title, state: z.optional(z.enum(stepStates)) }),
          ]),
        )
        .check(z.maxLength(60)),
    ),
  }),
  config_panel: z.object({ entity: z.optional(z.enum(configurableEntities)) }),
  agent_preview: z.object({ input: z.optional(z.pipe(plainText, z.string().check(z.maxLength(4000)))) }),
}

const proposalShape = z.object({
  type: z.string(),
  name: z.string(),
  why: z.optional(z.unknown()),
  pattern: z.optional(z.nullable(z.enum(engagementPatterns))),
  content: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
})

type UnplacedProposal = Omit<ParsedProposal, 'data'> & Pick<FrameData, 'name' | 'content'> & { frameType: FrameType }

function toProposal(input: unknown, offeredTypes: readonly FrameType[]): UnplacedProposal | undefined {
  const result = proposalShape.safeParse(input)
  if (!result.success) return undefined
  const frameType = offeredTypes.find((type) => type === result.data.type)
  const name = toOneLine(result.data.name)
  if (!frameType || name === '' || name.length > maxNameLength) return undefined
  const pattern = result.data.pattern ?? frameTypes[frameType].pattern
  if (!acceptsFrame(pattern, frameType)) return undefined
  const content = parseContent(frameType, result.data.content ?? {})
  if (!content) return undefined
  const why = typeof result.data.why === 'string' ? truncateLine(result.data.why, maxReasonLength) : ''
  return { frameType, name, content, pattern, why }
}

function parseContent(frameType: FrameType, input: Record<string, unknown>): Record<string, unknown> | undefined {
  const shape = proposableContent[frameType]
  if (!shape) return createEmptyContent(frameType)
  const parsedContent = shape.safeParse(input)
  if (!parsedContent.success) return undefined
  const fullContent: Record<string, unknown> = {
    ...createEmptyContent(frameType),
    ...omitUndefined(parsedContent.data),
  }
  if (Array.isArray(fullContent.steps))
    fullContent.steps = fullContent.steps.map((step, index) => ({
      id: `step-${index + 1}`,
      state: 'todo',
      ...omitUndefined(step),
    }))
  return fullContent
}

const omitUndefined = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

function truncateLine(text: string, maxLength: number): string {
  const line = toOneLine(text)
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).toWellFormed()}…` : line
}

const toFrameSlug = (name: string) => toSlug(name).slice(0, 50).replace(/-$/, '') || 'frame'
