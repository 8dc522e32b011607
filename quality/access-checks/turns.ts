import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../bench/measure.ts'

export interface TurnAnswer {
  file: string
  /** Baseline only: test → reached checks. */
  tests?: Record<string, string[]>
  disabledIds?: string[]
  selectedTests?: string[]
  failedTest?: { test: string; message: string } | null
  /** The test also fails with the last check on. */
  isUnsure?: boolean
  /** A test with an internal error or timeout, which proves nothing. */
  crashed?: string | null
}

export type Turns = Map<string, string[][]>

/** Runs test files with checks off in one Vitest run. `run` resolves when Vitest ends; results are appended to `answerPath`. */
export async function runTurnFiles(
  turns: Turns,
  run: (files: string[]) => Promise<unknown>,
  answerPath: string,
): Promise<void> {
  if (turns.size === 0) return
  mkdirSync(join(root, 'test-results'), { recursive: true })
  const dataDir = mkdtempSync(join(root, 'test-results', 'access-turns-'))
  try {
    let fileNumber = 0
    for (const [file, idsByTurn] of turns) {
      const lines = [
        `import { registerTurns } from '${join(root, 'quality/access-checks/in-turn.ts')}'`,
        `registerTurns(${JSON.stringify(join(root, file))}, ${JSON.stringify(idsByTurn)}, ${JSON.stringify(answerPath)})`,
      ]
      writeFileSync(join(dataDir, `${fileNumber++}.turns.ts`), lines.join('\n'))
    }
    await run([dataDir])
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

export const readTurnAnswers = (path: string): TurnAnswer[] =>
  (existsSync(path) ? readFileSync(path, 'utf8') : '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as TurnAnswer)
