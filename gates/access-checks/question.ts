/** What `gates/access-checks.ts` wants to know, and what it is told. */
export interface Question {
  ids: string[]
  answerTo: string
}
export interface MatrixAnswer {
  /** How many calls of the address book come past each check. */
  reached: Record<string, number>
  /** Check → what the matrix says without it. */
  red: Record<string, string>
  /** Check → the other check behind which it stands: without both, more goes wrong than without that one. */
  second: Record<string, string>
}

/** A check there is not. */
export const decidesNothing = 'planted: decides nothing'
