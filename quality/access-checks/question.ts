export interface Question {
  ids: string[]
  /** Checks to turn off together with each other check on their path. */
  unprovenIds: string[]
  answerPath: string
}
export interface MatrixAnswer {
  reached: Record<string, number>
  /** Check → matrix violation without it. */
  violations: Record<string, string>
  /** Check → a call that fails internally without it, which proves nothing. */
  crashed: Record<string, string>
  /** Check → the check shadowing it: disabling both differs from disabling that one. */
  second: Record<string, string>
  planted: { calls: number; unnoticed: string[] }
}

export const plantedCheckId = 'planted: decides nothing'
