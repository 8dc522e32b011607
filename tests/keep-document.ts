import { keeperMedia } from '#contract/keepers/media.ts'
import { type SourceSummary, sources } from '#contract/keepers/sources.ts'
import type { Actor } from './test-app.ts'

interface DocumentInput {
  parts: { text: string; page?: number }[]
  title?: string
  agentsMayQuote?: boolean
  /** Content of the original PDF. */
  file?: string
}

export async function keepDocument(
  actor: Actor,
  keeperId: string,
  { parts, title = 'The lighthouse manual', agentsMayQuote = true, file = '%PDF-1.7\nmade up' }: DocumentInput,
): Promise<SourceSummary> {
  const uploaded = await actor.call(keeperMedia.upload, {
    params: { id: keeperId },
    query: { name: `${title}.pdf` },
    bytes: { mime: 'application/pdf', data: new Uint8Array(Buffer.from(file)) },
  })
  const body = { mediaId: uploaded.data.id, title, parts, agentsMayQuote }
  return (await actor.call(sources.keepDocument, { params: { id: keeperId }, body })).data
}
