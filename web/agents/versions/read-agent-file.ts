import type * as z from 'zod/mini'
import { agentFileToImport } from '#contract/agents/versions.ts'

export type FileToImport = z.output<typeof agentFileToImport>
/** What goes to the server: as it was written, so that the server judges what the author wrote. */
export type ReadFile = { file: FileToImport; sent: z.input<typeof agentFileToImport> } | { problem: string }

const mostBytes = 1_000_000

/** What is in a chosen file, or why it cannot be an agent. */
export async function readAgentFile(chosen: Blob): Promise<ReadFile> {
  if (chosen.size > mostBytes) return { problem: 'This file is larger than an agent can be. Choose another one.' }
  if (chosen.size === 0) return { problem: 'This file is empty. Choose one that was exported here.' }
  let content: unknown
  try {
    content = JSON.parse(await chosen.text())
  } catch {
    return { problem: 'This is not a file of an agent: it cannot be read as JSON. Choose one that was exported here.' }
  }
  const parsed = agentFileToImport.safeParse(content)
  if (parsed.success) return { file: parsed.data, sent: content as z.input<typeof agentFileToImport> }
  const [issue] = parsed.error.issues
  const where = issue?.path.join('.') ?? ''
  if (where === '' || where === 'keeper') return { problem: 'This is not the file of a Keeper agent.' }
  return { problem: `The file cannot be imported. ${where}: ${issue?.message}` }
}
