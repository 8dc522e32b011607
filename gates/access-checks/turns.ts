import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../bench/measure.ts'

/** What one turn of in-turn.ts says, as a line of its answers. */
export interface TurnAnswer {
  file: string
  /** Of the turn with every check on: test → the checks it comes past. */
  tests?: Record<string, string[]>
  off?: string[]
  /** The tests that were asked. */
  asked?: string[]
  red?: { test: string; says: string } | null
  /** Red with the last of these checks on as well. */
  unsure?: boolean
  /** A test in which a request ended in a failure of ours, or that did not end: no refusal, so this proves nothing. */
  crashed?: string | null
}

/** What is asked of one file of tests; each turn the checks to turn off together. */
export type Turns = Map<string, string[][]>

/**
 * Runs files of tests in turn with checks off, in one run of vitest.
 * @param turns file of tests, from the root → its turns
 * @param run starts vitest over these files and resolves when it ended, whether green or not
 * @param answerTo where the lines of answers go, behind those of before
 */
export async function takeTurns(
  turns: Turns,
  run: (files: string[]) => Promise<unknown>,
  answerTo: string,
): Promise<void> {
  if (turns.size === 0) return
  mkdirSync(join(root, 'test-results'), { recursive: true })
  const folder = mkdtempSync(join(root, 'test-results', 'access-turns-'))
  try {
    let number = 0
    for (const [file, offs] of turns) {
      const lines = [
        `import { inTurn } from '${join(root, 'gates/access-checks/in-turn.ts')}'`,
        `inTurn(${JSON.stringify(join(root, file))}, ${JSON.stringify(offs)}, ${JSON.stringify(answerTo)})`,
      ]
      writeFileSync(join(folder, `${number++}.turns.ts`), lines.join('\n'))
    }
    await run([folder])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const answersIn = (path: string): TurnAnswer[] =>
  (existsSync(path) ? readFileSync(path, 'utf8') : '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as TurnAnswer)
