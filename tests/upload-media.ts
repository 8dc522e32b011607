import type { Media } from '#contract/keepers/media.ts'
import type { Actor } from './test-app.ts'

const fileSignatures: Record<string, Buffer> = {
  'audio/mpeg': Buffer.from([0xff, 0xfb, 0x90, 0]),
  'image/png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
}

/** Uploads a file to a keeper, 4 seconds long if it is audio; returns its id. */
export async function uploadMedia(
  actor: Actor,
  keeperId: string,
  mime = 'audio/mpeg',
  content = Buffer.alloc(2000),
): Promise<string> {
  const bytes = Buffer.concat([fileSignatures[mime] ?? Buffer.alloc(0), content])
  const init = { method: 'POST', body: bytes, headers: { 'content-type': mime } }
  const response = await actor.fetch(`/api/keeper/keepers/${keeperId}/media?durationMs=4000`, init)
  const answer = (await response.json()) as { data?: Media }
  if (!answer.data) throw new Error(`Failed to upload a file: ${JSON.stringify(answer)}`)
  return answer.data.id
}
