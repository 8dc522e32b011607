import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { root } from './fingerprint.ts'

export interface ToolRun {
  exitCode: number
  output: string
}

export async function runTool(
  script: string,
  options: string[],
  { quiet = false, env = {} }: { quiet?: boolean; env?: Record<string, string> } = {},
): Promise<ToolRun> {
  const child = spawn(process.execPath, [join(root, script), ...options], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [exitCode] = (await once(child, 'close')) as [number | null]
  return { exitCode: exitCode ?? 1, output }
}
