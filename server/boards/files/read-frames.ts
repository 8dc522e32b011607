import * as z from 'zod/mini'
import { boardConfig, frameData, newFrame } from '#contract/boards/boards.ts'
import { Problem } from '#server/http/problem.ts'
import { readBySchema } from '#server/keepers/transfer/read-by-schema.ts'
import type { PlainFrame } from '../board-view.ts'
import { defaultBoardConfig } from '../create-board.ts'
import { checkFrames } from '../save-board.ts'

const { shape: dataShape } = frameData
const frameInFile = z.extend(newFrame, {
  data: z.extend(frameData, {
    name: z._default(dataShape.name, 'Frame'),
    description: z._default(dataShape.description, ''),
    category: z._default(dataShape.category, 'content'),
    icon: z._default(dataShape.icon, ''),
    slug: z._default(dataShape.slug, 'frame'),
    position: z._default(dataShape.position, { x: 0, y: 0 }),
    size: z._default(dataShape.size, { width: 300, height: 200 }),
    content: z._default(dataShape.content, {}),
  }),
  FrameConfig: z._default(
    z.extend(newFrame.shape.FrameConfig, {
      engagementMode: z._default(newFrame.shape.FrameConfig.shape.engagementMode, 'canvas'),
    }),
    { engagementMode: 'canvas' },
  ),
})
type FrameInFile = z.output<typeof frameInFile>

const { shape: configShape } = boardConfig
const configInFile = z.object({
  name: z._default(configShape.name, ''),
  description: z._default(configShape.description, ''),
  layout: z._default(configShape.layout, defaultBoardConfig.layout),
  engagementMode: z._default(configShape.engagementMode, defaultBoardConfig.engagementMode),
  allowLayoutEditing: z._default(configShape.allowLayoutEditing, defaultBoardConfig.allowLayoutEditing),
  animation: z._default(configShape.animation, defaultBoardConfig.animation),
  theme: z._default(configShape.theme, defaultBoardConfig.theme),
})

/** Values that can't be read are replaced by the defaults of a new board. */
export function readConfig(source: unknown): z.output<typeof boardConfig> {
  return readBySchema(configInFile, source, { onLoss: () => undefined }) ?? configInFile.parse({})
}

interface FrameReadResult {
  frames: PlainFrame[]
  /** Frames with values that could not be read. */
  repaired: number
  leftOut: number
}

/** Reads each frame field by field; only its type is required. IDs and slugs become unique. */
export function readFrames(sources: readonly unknown[]): FrameReadResult {
  const result: FrameReadResult = { frames: [], repaired: 0, leftOut: 0 }
  const ids = new Set<string>()
  const slugs = new Set<string>()
  for (const [index, source] of sources.entries()) {
    let isWhole = true
    const onLoss = () => {
      isWhole = false
    }
    const freeId = `frame-${index}`
    const parsed = readBySchema(frameInFile, source, { onLoss, fallbacks: new Map([[newFrame.shape.id, freeId]]) })
    if (parsed && ids.has(parsed.id)) parsed.id = freeId
    if (parsed && slugs.has(parsed.data.slug)) {
      parsed.data.slug = `${parsed.data.slug.slice(0, 50)}-${index}`
      onLoss()
    }
    const frame = parsed && checkFrame(parsed, onLoss)
    if (!frame) result.leftOut += 1
    else {
      ids.add(frame.id)
      slugs.add(frame.data.slug)
      result.frames.push(frame)
      if (!isWhole) result.repaired += 1
    }
  }
  return result
}

/** Fields that a save would refuse get the values of a new frame. */
function checkFrame(
  frame: FrameInFile,
  onLoss: () => void,
  { isRepaired } = { isRepaired: false },
): PlainFrame | undefined {
  try {
    return checkFrames([frame], [])[0]
  } catch (error) {
    if (!(error instanceof Problem) || isRepaired) return undefined
    onLoss()
    const refusedPaths = Object.keys(error.details.fields ?? {})
    // Such as `frames.0.data.content.steps`.
    const refusedKeys = new Set(refusedPaths.map((path) => path.split('.')[4]))
    const content = Object.fromEntries(Object.entries(frame.data.content).filter(([key]) => !refusedKeys.has(key)))
    const isMisplaced = refusedPaths.some((path) => path.endsWith('engagementMode'))
    const repaired: FrameInFile = {
      ...frame,
      data: { ...frame.data, content },
      FrameConfig: { ...frame.FrameConfig, ...(isMisplaced && { engagementMode: 'canvas' }) },
    }
    return checkFrame(repaired, onLoss, { isRepaired: true })
  }
}
