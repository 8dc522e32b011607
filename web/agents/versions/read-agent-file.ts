import type * as z from 'zod/mini'
import { agentFileToImport } from '#contract/agents/versions.ts'

export type FileToImport = z.output<typeof agentFileToImport>
/** `originalContent` is the unmodified content, so that the server validates what the author wrote. */
export type AgentFileResult =
  | { file: FileToImport; originalContent: z.input<typeof agentFileToImport> }
  | { problem: string }

const maxBytes = 1_000_000

export async function readAgentFile(file: Blob): Promise<AgentFileResult> {
  if (file.size > maxBytes) return { problem: 'This file is too large for an agent. Choose another one.' }
  if (file.size === 0) return { problem: 'This file is empty. Choose an exported agent file.' }
  let content: unknown
  try {
    content = JSON.parse(await file.text())
  } catch {
    return { problem: 'This isn’t an agent file: it can’t be read as JSON. Choose an exported agent file.' }
  }
  const parsed = agentFileToImport.safeParse(content)
  if (parsed.success) return { file: parsed.data, originalContent: content as z.input<typeof agentFileToImport> }
  const [issue] = parsed.error.issues
  const path = issue?.path.join('.') ?? ''
  if (path === '' || path === 'keeper') return { problem: 'This isn’t an agent exported from Keeper.' }
  return { problem: `The file can’t be imported. ${path}: ${issue?.message}` }
}
