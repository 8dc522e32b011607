import { truncate } from '#contract/truncate.ts'
import { removeInvisible, toOneLine } from '#server/models/data-in-prompts.ts'
import { type RepairedSchema, repairToolSchema } from '#server/models/repair-tool-schema.ts'
import { isObject } from '#server/values/is-object.ts'

const maxNameLength = 200
const maxDescriptionLength = 2000
export const maxTools = 200

export interface ListedTool {
  name: string
  title: string
  description: string
  schema: RepairedSchema
  isReadOnly: boolean
  isClosedWorld: boolean
}

export interface UnusableTool {
  name: string
  problem: string
}

export function readToolPage(
  result: unknown,
  offset: number,
): { tools: ListedTool[]; unusable: UnusableTool[]; nextCursor: string | undefined } | undefined {
  if (!isObject(result) || !Array.isArray(result.tools)) return undefined
  const tools: ListedTool[] = []
  const unusable: UnusableTool[] = []
  for (const [index, listed] of result.tools.slice(0, maxTools).entries()) {
    const tool = readTool(listed, offset + index + 1)
    if ('problem' in tool) unusable.push(tool)
    else tools.push(tool)
  }
  const { nextCursor } = result
  return { tools, unusable, nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined }
}

function readTool(listed: unknown, position: number): ListedTool | UnusableTool {
  const fallbackName = `number ${position} in the list`
  if (!isObject(listed)) return { name: fallbackName, problem: 'The tool is not an object.' }
  const { name } = listed
  if (typeof name !== 'string' || name.trim() === '') return { name: fallbackName, problem: 'The tool has no name.' }
  const displayName = toOneLine(truncate(name, maxNameLength)) || fallbackName
  if (name.length > maxNameLength)
    return { name: displayName, problem: `The tool’s name is longer than ${maxNameLength} characters.` }
  const schema = repairToolSchema(listed.inputSchema)
  if ('problem' in schema) return { name: displayName, problem: schema.problem }
  const annotations = isObject(listed.annotations) ? listed.annotations : {}
  const title = truncate(findFirstText(listed.title, annotations.title, name), maxNameLength)
  const notes = schema.notes.map((note) => `\n${note}`).join('')
  const descriptionText = truncate(removeInvisible(findFirstText(listed.description, title)), maxDescriptionLength)
  return {
    name,
    title,
    description: descriptionText + removeInvisible(notes),
    schema,
    isReadOnly: annotations.readOnlyHint === true,
    isClosedWorld: annotations.openWorldHint === false,
  }
}

export function readToolResult(result: unknown): { text: string; isError: boolean } {
  if (!isObject(result)) return { text: typeof result === 'string' ? result : '', isError: false }
  const { content, structuredContent, isError } = result
  const parts: unknown[] = [content ?? []].flat()
  const parsedParts = parts.map(readPart)
  const texts = parsedParts.flatMap(({ text }) => text ?? [])
  const structured = structuredContent == null ? '' : JSON.stringify(structuredContent)
  // Servers repeat the text as JSON, which counts only if the text is missing.
  if (texts.join('') === '' && structured) texts.push(structured)
  const placeholders = parsedParts.flatMap(({ placeholder }) => placeholder ?? [])
  return { text: [...texts, ...placeholders].join('\n'), isError: isError === true }
}

function readPart(part: unknown): { text?: string; placeholder?: string } {
  if (typeof part === 'string') return { text: part }
  if (!isObject(part)) return {}
  if (typeof part.text === 'string') return { text: part.text }
  if (isObject(part.resource) && typeof part.resource.text === 'string') return { text: part.resource.text }
  if (part.type === 'resource_link' && typeof part.uri === 'string')
    return {
      text: [part.title ?? part.name, part.description, part.uri].filter((text) => typeof text === 'string').join(' '),
    }
  return { placeholder: `[${toOneLine(truncate(String(part.type ?? 'something'), 40))}, not shown]` }
}

function findFirstText(...texts: unknown[]): string {
  return texts.find((text): text is string => typeof text === 'string' && text.trim() !== '') ?? ''
}
