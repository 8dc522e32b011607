/** What `gates/access-checks.ts` wants to know, and what it is told. */
export interface Question {
  /** To be turned off one by one. */
  ids: string[]
  /** To be turned off with each other check on the way. */
  behind: string[]
  answerTo: string
}
export interface MatrixAnswer {
  /** How many calls of the address book come past each check. */
  reached: Record<string, number>
  /** Check → what the matrix says without it. */
  red: Record<string, string>
  /** Check → a call that ends in a failure of ours without it: no refusal, so this proves nothing. */
  crashed: Record<string, string>
  /** Check → the other check behind which it stands: without both, more goes wrong than without that one. */
  second: Record<string, string>
  /** Calls that serve everybody as the owner, planted in turn. */
  planted: { calls: number; unnoticed: string[] }
}

/** A check there is not. */
export const decidesNothing = 'planted: decides nothing'
