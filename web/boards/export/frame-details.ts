import type { QueryClient } from '@tanstack/react-query'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import type { BoardConfig, Frame } from '#contract/boards/boards.ts'
import { type ProcessStep, readContent } from '#contract/boards/frame-content.ts'
import { type FrameType, frameTypes, isFrameType } from '#contract/boards/frame-types.ts'
import { htmlToText } from '#contract/html-text.ts'
import { fetchFile } from '#web/api/api.ts'
import { createCanvas } from '#web/files/save-file.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import type { BoardDocument, Size } from '../document/board-document.ts'
import {
  agentQuery,
  type EntityQuery,
  frameBoardQuery,
  journeyQuery,
  keeperQuery,
  momentQuery,
} from '../frames/entity-queries.ts'

/** Scale for high-density screens and double-size exports. */
const pixelDensity = 2
const jpegQuality = 0.85

/** Returns a `data:` URL scaled down to the frame size. @throws if the blob isn't an image */
async function toPictureData(blob: Blob, { width, height }: Size): Promise<string> {
  const bitmap = await createImageBitmap(blob)
  // The larger ratio covers both `cover` and `contain`.
  const scale = Math.min(1, Math.max((width * pixelDensity) / bitmap.width, (height * pixelDensity) / bitmap.height))
  const { canvas, context } = createCanvas(
    Math.max(1, Math.round(bitmap.width * scale)),
    Math.max(1, Math.round(bitmap.height * scale)),
  )
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  // PNG preserves transparency.
  return blob.type === 'image/jpeg' ? canvas.toDataURL('image/jpeg', jpegQuality) : canvas.toDataURL('image/png')
}

interface FrameDetailsResult {
  frameDetails: Map<string, FrameDetails>
  /** Names of frames whose picture failed to load or would make the file too large. */
  namesWithoutPicture: string[]
}

const maxListedNames = 5

export function formatMissingPictures(names: readonly string[], destination = 'the export'): string {
  const listedNames =
    names.length > maxListedNames ? [...names.slice(0, maxListedNames), `${names.length - maxListedNames} more`] : names
  const list = new Intl.ListFormat('en-US').format(listedNames)
  return `${pluralize(names.length, 'picture is', 'pictures are')} missing from ${destination}: ${list}.`
}

/** Total size of all pictures, in base64 characters. */
const maxPictureCharacters = 32_000_000
const concurrency = 4
const maxNameRequests = 200

/** Loads pictures and entity names, without those that fail to load. */
export async function loadFrameDetails(
  { frames }: BoardDocument,
  { boardId, queryClient, isOffline }: { boardId: string; queryClient: QueryClient; isOffline: boolean },
): Promise<FrameDetailsResult> {
  const frameDetails = new Map<string, FrameDetails>()
  if (isOffline) return { frameDetails, namesWithoutPicture: frames.filter(getPictureId).map(getFrameName) }
  const names = await loadNames(frames, queryClient)
  for (const frame of frames) {
    const name = names.get(getNamedEntityKey(frame) ?? '')
    if (name) frameDetails.set(frame.id, { name })
  }
  let loadedCharacters = 0
  const missingFrames = new Set<Frame>()
  await forEachConcurrently(frames.filter(getPictureId), async (frame) => {
    const picture =
      loadedCharacters < maxPictureCharacters
        ? await loadPicture(boardId, getPictureId(frame) ?? '', frame.data.size)
        : undefined
    if (!picture || loadedCharacters + picture.length > maxPictureCharacters) {
      missingFrames.add(frame)
      return
    }
    loadedCharacters += picture.length
    frameDetails.set(frame.id, { ...frameDetails.get(frame.id), picture })
  })
  // In board order, not in response order.
  return { frameDetails, namesWithoutPicture: frames.filter((frame) => missingFrames.has(frame)).map(getFrameName) }
}

const getFrameName = ({ data }: Frame) => data.name

function getPictureId({ data }: Frame): string | null {
  return data.frameType === 'media_card' ? readContent('media_card', data.content).mediaId : null
}

async function loadPicture(boardId: string, pictureId: string, size: Frame['data']['size']) {
  try {
    const { blob } = await fetchFile(boardSharing.picture, { params: { id: boardId, pictureId } })
    return await toPictureData(blob, size)
  } catch {
    // Reported as missing; the frame is drawn with its text.
    return undefined
  }
}

/** Key such as `journey 0af1…`. */
function getNamedEntityKey({ data: { frameType, content } }: Frame): string | undefined {
  if (frameType === 'dialog' || frameType === 'agent_preview') {
    const { agentId } = readContent(frameType, content)
    return agentId ? `agent ${agentId}` : undefined
  }
  if (frameType !== 'preview') return undefined
  const { entity, entityId } = readContent('preview', content)
  return entity && entityId ? `${entity} ${entityId}` : undefined
}

async function loadNames(frames: readonly Frame[], queryClient: QueryClient): Promise<Map<string, string>> {
  const entityKeys = [...new Set(frames.flatMap((frame) => getNamedEntityKey(frame) ?? []))].slice(0, maxNameRequests)
  const names = new Map<string, string>()
  await forEachConcurrently(entityKeys, async (entityKey) => {
    const [entity, id = ''] = entityKey.split(' ')
    const name = await loadName(entity ?? '', id, queryClient).catch(() => undefined)
    if (name) names.set(entityKey, name)
  })
  return names
}

async function loadName(entity: string, id: string, queryClient: QueryClient): Promise<string | null> {
  const fetchOnce = <Data>(query: EntityQuery<Data>) =>
    queryClient.fetchQuery({ ...query, staleTime: 60_000, retry: false })
  if (entity === 'agent') return (await fetchOnce(agentQuery(id))).name
  if (entity === 'board') return (await fetchOnce(frameBoardQuery(id))).name
  if (entity === 'keeper') return (await fetchOnce(keeperQuery(id))).title
  if (entity === 'journey') return (await fetchOnce(journeyQuery(id))).title
  return (await fetchOnce(momentQuery(id))).title
}

async function forEachConcurrently<T>(items: readonly T[], action: (item: T) => Promise<void>): Promise<void> {
  const remaining = [...items]
  const runNext = async () => {
    for (let item = remaining.shift(); item !== undefined; item = remaining.shift()) await action(item)
  }
  await Promise.all(Array.from({ length: concurrency }, runNext))
}

export interface FrameDetails {
  /** `data:image/…` URL. */
  picture?: string
  /** Name of its agent or entity. */
  name?: string
}

export type FrameBlock =
  | { kind: 'text'; text: string; textStyle: 'body' | 'title' | 'strong' | 'muted' | 'mono' }
  | { kind: 'step'; state: ProcessStep['state']; text: string }
  | { kind: 'picture'; href: string; fit: 'cover' | 'contain' }

/** Characters; more than any frame can show. */
const maxBlockTextLength = 6000
const toTextBlocks = (
  text: string,
  textStyle: Extract<FrameBlock, { kind: 'text' }>['textStyle'] = 'body',
): FrameBlock[] =>
  text.trim() === '' ? [] : [{ kind: 'text', text: text.slice(0, maxBlockTextLength).toWellFormed(), textStyle }]

export function toFrameBlocks(frame: Frame, config: BoardConfig, details: FrameDetails = {}): FrameBlock[] {
  const { frameType, content } = frame.data
  if (!isFrameType(frameType)) return toTextBlocks(`Frame type "${frameType}" is not supported.`, 'muted')
  const blocks = blocksByType[frameType]?.(content, details, config) ?? describeEntity(frameType, details)
  return blocks.length > 0 ? blocks : toTextBlocks('Nothing here yet.', 'muted')
}

const blocksByType: Partial<
  Record<FrameType, (content: Record<string, unknown>, details: FrameDetails, config: BoardConfig) => FrameBlock[]>
> = {
  media_card(content, { picture }) {
    const { title, caption, alt, fit } = readContent('media_card', content)
    const pictureBlocks: FrameBlock[] = picture ? [{ kind: 'picture', href: picture, fit }] : toTextBlocks(alt, 'muted')
    return [...pictureBlocks, ...toTextBlocks(title, 'title'), ...toTextBlocks(caption)]
  },
  preview(content, { name }) {
    const { kind, entity, html } = readContent('preview', content)
    if (kind === 'page') return toTextBlocks(htmlToText(html.slice(0, maxBlockTextLength * 4)))
    if (!entity) return toTextBlocks('Nothing chosen yet.', 'muted')
    return [...toTextBlocks(name ?? '', 'title'), ...toTextBlocks(`A ${entity}, read-only.`, 'muted')]
  },
  code_snippet(content) {
    const { code, language } = readContent('code_snippet', content)
    return [...(language === 'text' ? [] : toTextBlocks(language, 'muted')), ...toTextBlocks(code, 'mono')]
  },
  process_frame(content) {
    const { steps } = readContent('process_frame', content)
    return steps.map(({ title, state }) => ({ kind: 'step', state, text: title }))
  },
  dialog(content, { name }) {
    const { agentId } = readContent('dialog', content)
    return agentId
      ? [...toTextBlocks(name ?? 'An agent', 'title'), ...toTextBlocks('A chat with this agent.', 'muted')]
      : noAgentBlocks
  },
  agent_preview(content, { name }) {
    const { agentId, input, runId } = readContent('agent_preview', content)
    if (!agentId && !runId) return noAgentBlocks
    return [
      ...toTextBlocks(name ?? 'An agent', 'title'),
      ...toTextBlocks(input),
      ...toTextBlocks(runId ? 'One of the agent’s runs.' : 'Ready to run.', 'muted'),
    ]
  },
  config_panel(content, { name }, config) {
    const { entity } = readContent('config_panel', content)
    if (entity !== 'board')
      return [...toTextBlocks(name ?? '', 'title'), ...toTextBlocks(`The settings of ${addArticle(entity)}.`, 'muted')]
    return [
      ...toTextBlocks(config.name, 'title'),
      ...toTextBlocks(`Layout: ${config.layout}`),
      ...toTextBlocks(`Mode: ${config.engagementMode}`),
      ...toTextBlocks(`Animation: ${config.animation}`),
    ]
  },
}

const noAgentBlocks = toTextBlocks('No agent chosen yet.', 'muted')

function describeEntity(frameType: FrameType, { name }: FrameDetails): FrameBlock[] {
  return [...toTextBlocks(name ?? '', 'title'), ...toTextBlocks(frameTypes[frameType].helpText, 'muted')]
}

const addArticle = (entity: string) => `${/^[aeiou]/.test(entity) ? 'an' : 'a'} ${entity.replace('-', ' ')}`
