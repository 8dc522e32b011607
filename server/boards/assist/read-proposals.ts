import * as z from 'zod/mini'
import { slugFrom } from '#contract/agents/agent-slug.ts'
import { mostProposals } from '#contract/boards/board-assist.ts'
import { type FrameData, frameData } from '#contract/boards/boards.ts'
import {
  codeLanguages,
  configuredEntities,
  emptyContent,
  previewedEntities,
  stepStates,
} from '#contract/boards/frame-content.ts'
import {
  accepts,
  type EngagementPattern,
  engagementPatterns,
  type FrameType,
  frameTypes,
} from '#contract/boards/frame-types.ts'
import { freePlaces } from '#contract/boards/free-places.ts'
import { removeInvisible, toOneLine } from '#server/models/data-in-prompts.ts'
import { parseJson } from '#server/models/parse-json.ts'

export interface AroundProposals {
  offered: readonly FrameType[]
  frames: readonly Pick<FrameData, 'position' | 'size' | 'slug'>[]
  room: number
}
interface ReadProposal {
  data: FrameData
  pattern: EngagementPattern
  why: string
}
export interface ReadProposals {
  summary: string
  proposals: ReadProposal[]
  leftOut: number
}

const longestAnswer = 400_000

/** Finds one JSON object, bare, fenced or inside text, and checks each frame like one made by a person. */
export function readProposals(answer: string, around: AroundProposals): ReadProposals | undefined {
  const said = saidIn(answer.slice(0, longestAnswer))
  if (!said) return undefined
  const named = said.frames.flatMap((given) => proposalOf(given, around.offered) ?? [])
  const room = Math.max(0, Math.min(mostProposals, around.room))
  const chosen = named.slice(0, room)
  const places = freePlaces(
    around.frames.map(({ position, size }) => ({ ...position, ...size })),
    chosen.map(({ data }) => data.size),
  )
  const slugs = new Set(around.frames.map(({ slug }) => slug))
  const proposals = chosen.flatMap(({ data, ...rest }, index) => {
    const position = places[index]
    const placed = frameData.safeParse({ ...data, position, slug: freeSlug(slugs, data.name) })
    if (!placed.success) return []
    slugs.add(placed.data.slug)
    return [{ ...rest, data: placed.data }]
  })
  return { summary: shortened(said.summary, 500), proposals, leftOut: said.frames.length - proposals.length }
}

const whole = z.object({ summary: z.catch(z.string(), ''), frames: z.array(z.unknown()) })

function saidIn(answer: string): z.output<typeof whole> | undefined {
  const widest = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)
  for (const text of [answer, ...fencedIn(answer), widest]) {
    const parsed = whole.safeParse(parseJson(text))
    if (parsed.success) return parsed.data
  }
  return undefined
}

function fencedIn(answer: string): string[] {
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

/** Content a model can propose: no ids, which it can't know, and no pages. */
const sayable: Partial<Record<FrameType, z.ZodMiniType<Record<string, unknown>>>> = {
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
  config_panel: z.object({ entity: z.optional(z.enum(configuredEntities)) }),
  agent_preview: z.object({ input: z.optional(z.pipe(plainText, z.string().check(z.maxLength(4000)))) }),
}

const one = z.object({
  type: z.string(),
  name: z.string(),
  why: z.optional(z.unknown()),
  pattern: z.optional(z.nullable(z.enum(engagementPatterns))),
  content: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
})

type Unplaced = Omit<ReadProposal, 'data'> & { data: Omit<FrameData, 'position' | 'slug'> }

function proposalOf(given: unknown, offered: readonly FrameType[]): Unplaced | undefined {
  const read = one.safeParse(given)
  if (!read.success) return undefined
  const frameType = offered.find((type) => type === read.data.type)
  const name = toOneLine(read.data.name)
  if (!frameType || name === '' || name.length > 120) return undefined
  const { description, category, icon, pattern: usual, size } = frameTypes[frameType]
  const pattern = read.data.pattern ?? usual
  if (!accepts(pattern, frameType)) return undefined
  const content = contentOf(frameType, read.data.content ?? {})
  if (!content) return undefined
  const why = typeof read.data.why === 'string' ? shortened(read.data.why, 300) : ''
  return { data: { frameType, name, description, category, icon, size: { ...size }, content }, pattern, why }
}

function contentOf(frameType: FrameType, given: Record<string, unknown>): Record<string, unknown> | undefined {
  const shape = sayable[frameType]
  if (!shape) return emptyContent(frameType)
  const said = shape.safeParse(given)
  if (!said.success) return undefined
  const kept: Record<string, unknown> = { ...emptyContent(frameType), ...withoutNothing(said.data) }
  if (Array.isArray(kept.steps))
    kept.steps = kept.steps.map((step, index) => ({ id: `step-${index + 1}`, state: 'todo', ...withoutNothing(step) }))
  return kept
}

const withoutNothing = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

function shortened(text: string, most: number): string {
  const line = toOneLine(text)
  return line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line
}

function freeSlug(taken: ReadonlySet<string>, name: string): string {
  const slug = slugFrom(name).slice(0, 50).replace(/-$/, '') || 'frame'
  if (!taken.has(slug)) return slug
  for (let number = 2; ; number++) if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`
}
